# SPDX-License-Identifier: GPL-3.0-or-later
# Writes OUT, a header that names the commit of SOURCE: run in each build, so that no report carries an older one. The
# file is touched only when the commit has changed. Outside a checkout there is none to name.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "")
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "#define LLOYD_COMMIT \"${commit}\"\n" @ONLY)
