# shellcheck shell=bash
# Runs commands whose last line is "N passed, N failed, N skipped", as scripts/test
# does, and sums them up in one table. scripts/stages and tests/systems/run source this
# file.

sums_rows=()
sums_passed=0 sums_failed=0 sums_skipped=0
sums_log=$(mktemp)
trap 'rm -f "$sums_log"' EXIT

# add_row TARGET SUITE PASSED FAILED SKIPPED SECONDS [SECONDS OF TESTS]
add_row() {
  sums_rows+=("$(printf '%-28s %-40s %7s %7s %7s %6s %6s' "${@:1:6}" "${7:-}")")
  sums_passed=$((sums_passed + $3)) sums_failed=$((sums_failed + $4))
  sums_skipped=$((sums_skipped + $5))
}

# Runs a command and adds its row. Sets `row`, the four numbers of this row.
#   counted TARGET SUITE COMMAND...
counted() {
  local target=$1 suite=$2 status=0 p='' f='' s=''
  shift 2
  printf '\n== %s\n' "$*"
  SECONDS=0
  "$@" 2>&1 | tee "$sums_log"
  status=${PIPESTATUS[0]}
  read -r p f s < <(tail -n 1 "$sums_log" |
    sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p')
  # A command without tests is one itself. A run that broke off before its count is
  # one failure.
  if [ -z "$p" ] && [ "$status" = 0 ]; then p=1; fi
  if [ "$status" != 0 ] && [ "${f:-0}" = 0 ]; then f=1; fi
  row=("${p:-0}" "${f:-0}" "${s:-0}" "$SECONDS")
  echo "== ${row[3]} s"
  # Of these seconds, ctest's own; set-up and build take the others.
  local tests
  tests=$(sed -n 's/^Total Test time (real) = *\([0-9]*\).*/\1/p' "$sums_log" | tail -n 1)
  add_row "$target" "$suite" "${row[@]}" "$tests"
}

# Prints the table and, as the last line, the sums. Fails if anything has failed.
print_sums() {
  printf '\n%-28s %-40s %7s %7s %7s %6s %6s\n' target suite passed failed skipped s tests
  printf '%s\n' "${sums_rows[@]}"
  echo "$sums_passed passed, $sums_failed failed, $sums_skipped skipped"
  [ "$sums_failed" = 0 ]
}
