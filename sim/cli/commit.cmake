# Writes OUTPUT with the commit of SOURCE, and touches it only when that has changed.
cmake_minimum_required(VERSION 3.25)
execute_process(
    COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12
    OUTPUT_VARIABLE commit
    OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET
    RESULT_VARIABLE failed)
if(failed)
    set(commit "unknown")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT
"namespace systole {
extern const char* const commit;
const char* const commit = \"@commit@\";
}  // namespace systole
")
