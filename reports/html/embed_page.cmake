# cmake -DSCRIPTS=a.js;b.js -DSTYLES=x.css;y.css -DLICENSES=L -DOUTPUT=out.cpp -P embed_page.cmake
#
# Puts the page's styles and its scripts into a C++ source file, and before the scripts the licences
# of those that are not ours. The scripts are modules that import
# from each other; as one script they share a scope, so that imports go and exports lose the word.
set(joined "")
foreach(file IN LISTS LICENSES)
  file(READ "${file}" text)
  string(APPEND joined "/*\n${text}*/\n")
endforeach()
foreach(script IN LISTS SCRIPTS)
  file(READ "${script}" text)
  string(REGEX REPLACE "(^|\n)import [^\n]*" "\\1" text "${text}")
  string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
  if(text MATCHES "\n(import|export) ")
    message(FATAL_ERROR "${script}: an import or export that is not on one line")
  endif()
  string(APPEND joined "${text}\n")
endforeach()
set(style "")
foreach(file IN LISTS STYLES)
  file(READ "${file}" text)
  string(APPEND style "${text}")
endforeach()
foreach(text joined style)
  if("${${text}}" MATCHES "</(script|style)" OR "${${text}}" MATCHES "\\)page\"")
    message(FATAL_ERROR "the page's ${text} holds what would end it")
  endif()
endforeach()
file(WRITE "${OUTPUT}"
"#include \"reports/html/html_markup.h\"

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
