# cmake -DSCRIPTS=a.js;b.js -DSTYLE=x.css -DOUTPUT=out.cpp -P embed_page.cmake
#
# Puts the page's style and its scripts into a C++ source file. The scripts are modules that import
# from each other; as one script they share a scope, so that imports go and exports lose the word.
set(joined "")
foreach(script IN LISTS SCRIPTS)
  file(READ "${script}" text)
  string(REGEX REPLACE "(^|\n)import [^\n]*" "\\1" text "${text}")
  string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
  if(text MATCHES "\n(import|export) ")
    message(FATAL_ERROR "${script}: an import or export that is not on one line")
  endif()
  string(APPEND joined "${text}\n")
endforeach()
file(READ "${STYLE}" style)
foreach(text joined style)
  if("${${text}}" MATCHES "</(script|style)" OR "${${text}}" MATCHES "\\)page\"")
    message(FATAL_ERROR "the page's ${text} holds what would end it")
  endif()
endforeach()
file(WRITE "${OUTPUT}"
"#include \"reports/html/page_assets.h\"

namespace lapscope::reports {

const std::string_view page_style = R\"page(${style})page\";
const std::string_view page_script = R\"page(\"use strict\";
(() => {
${joined}
startPage(document);
})();
)page\";

}  // namespace lapscope::reports
")
