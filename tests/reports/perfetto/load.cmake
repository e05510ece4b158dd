# Loads traces with Perfetto's own trace_processor, if it is installed.
find_program(LAPSCOPE_TRACE_PROCESSOR NAMES trace_processor_shell trace_processor
  DOC "Perfetto's trace_processor, which tests load exported traces with")

function(lapscope_load_test name script)
  lapscope_python_test("report_perfetto: trace_processor loads ${name}"
    "perfetto/${script}" "${LAPSCOPE_TRACE_PROCESSOR}" ${ARGN})
endfunction()

set(overlapped "${traces}/stream_pipeline-overlapped.sqlite")
lapscope_load_test("odd times" check_loaded.py
  "$<TARGET_FILE:lapscope>" "${overlapped}" "${format}/odd_times.sql")
foreach(trace stream_pipeline-overlapped nccl-all-reduce-broken graph-chain-fixed)
  lapscope_load_test(${trace} check_loaded.py "$<TARGET_FILE:lapscope>" "${traces}/${trace}.sqlite")
endforeach()
foreach(sample findings hostile)
  lapscope_load_test(${sample} check_same.py "${format}" "$<TARGET_FILE:sample_page>" ${sample} perfetto)
endforeach()
lapscope_load_test("a comparison" check_same.py "${format}"
  "$<TARGET_FILE:lapscope>" diff "${traces}/stream_pipeline-default-stream.sqlite" "${overlapped}"
  --format perfetto -o -)
