#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Everything that only a GPU can show, one PASS or FAIL line each:  scripts/gpu-check.sh [FOLDER [PART...]]
# FOLDER holds the built lloydscope (default: build/release); needs a display whose OpenGL the NVIDIA GPU draws. PART is one of
# kernels, window, counters, times, dimensions, launch, schedules and memory (default: all). Exit status 1 when a line failed. Pictures and
# reports go to $OUT, or to a temporary folder that is named at the end.
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

folder=$(cd "${1:-$repository/build/release}" && pwd)
program=$folder/lloydscope
out=${OUT:-$(mktemp -d)}
parts=("${@:2}")
((${#parts[@]})) || parts=(kernels window counters times dimensions launch schedules memory)
failures=0
samples=$repository/resources/data
export __GLX_VENDOR_LIBRARY_NAME=${__GLX_VENDOR_LIBRARY_NAME:-nvidia}

verdict() { # verdict "what" STATUS LOG: PASS when the status is 0
  if (($2 == 0)); then
    printf 'PASS  %s\n' "$1"
  else
    printf 'FAIL  %s\n' "$1"
    sed 's/^/      /' "$3" | head -12
    failures=$((failures + 1))
  fi
}

check() { # check "what" COMMAND...: PASS when the command succeeds
  local what=$1
  shift
  "$@" >"$out/last.log" 2>&1
  verdict "$what" $? "$out/last.log"
}

# Checks that measure nothing may run beside each other: begin_check starts one, end_checks prints all that were started.
begun=()
processes=()
begin_check() { # begin_check "what" COMMAND...
  begun+=("$1")
  shift
  "$@" >"$out/begun-${#begun[@]}.log" 2>&1 &
  processes[${#begun[@]}]=$!
}
end_checks() {
  local number
  for number in "${!processes[@]}"; do
    wait "${processes[number]}"
    verdict "${begun[number - 1]}" $? "$out/begun-$number.log"
  done
  begun=()
  processes=()
}

lines_of() { # lines_of COMMAND...: prints the PASS and FAIL lines of a script and counts the failed ones
  local said
  said=$("$@" 2>"$out/last.log") || grep -q '^FAIL' <<<"$said" ||
    said+=$'\nFAIL  '"$(basename "${2:-$1}") ends without a verdict: $(tail -n 1 "$out/last.log")"
  printf '%s\n' "$said"
  failures=$((failures + $(grep -c '^FAIL' <<<"$said")))
}

# field FILE EXPRESSION: true when the expression holds of the JSON report, which python calls r.
field() { python3 -c "import json,sys; r=json.load(open(sys.argv[1])); e=sys.argv[2]; print(e, '->', eval(e)); sys.exit(not eval(e))" "$1" "$2"; }
# at_most REPORT VARIANT STAGE US1 US2 US3: verified, and at D = 1, 2 and 3 no slower than that; prints the times.
at_most() {
  python3 -c "import json, sys
rows = [r for r in json.load(open(sys.argv[1]))['results'] if (r['variant'], r['stage']) == (sys.argv[2], sys.argv[3])]
print([(r['d'], r['verified'], r['median_us']) for r in rows])
sys.exit(len(rows) != 3 or any(not r['verified'] or r['median_us'] > float(sys.argv[3 + r['d']]) for r in rows))" "$out/$1.json" "${@:2}"
}
shot() { # shot NAME ARGS...: a window of its own, its picture, report and labels
  local name=$1
  shift
  "$program" shot "$@" --out "$out/$name.png" --json "$out/$name.json" --quiet
}
on_mesa() { __GLX_VENDOR_LIBRARY_NAME=mesa LIBGL_ALWAYS_SOFTWARE=1 "$@"; }
without_gpu() { CUDA_VISIBLE_DEVICES='' "$@"; }

find_profiler() { # Nsight Compute, which is not always on PATH
  local found
  for found in "$(command -v ncu)" /usr/local/cuda/bin/ncu /opt/nvidia/nsight-compute/*/ncu; do
    if [[ -x $found ]]; then echo "$found"; return; fi
  done
}
profiler=$(find_profiler)
compare=(python3 "$repository/scripts/check-counters.py")
count_on_card() { # count_on_card NCU TABLE WORDS...: launches what the words name once, under the profiler
  local ncu=$1 table=$2
  shift 2
  # The profiler brings its own libraries: those of the program's desktop are for the program alone.
  env -u LD_LIBRARY_PATH LC_ALL=C "$ncu" --target-processes all --clock-control none --cache-control none --csv --page raw \
    --print-units base --log-file "$table" --metrics "$("${compare[@]}" --metrics)" \
    env LD_LIBRARY_PATH="${LD_LIBRARY_PATH:-}" "$program" trace --backend cuda --quiet "$@"
}
durations=(python3 "$repository/scripts/check-durations.py")
time_on_card() { # time_on_card NCU TABLE WORDS...: the benchmark's launches, timed by the profiler
  local ncu=$1 table=$2
  shift 2
  env -u LD_LIBRARY_PATH LC_ALL=C "$ncu" --target-processes all --clock-control none --cache-control none --csv --page raw \
    --log-file "$table" --metrics "$("${durations[@]}" --metrics)" \
    env LD_LIBRARY_PATH="${LD_LIBRARY_PATH:-}" "$program" bench --quiet --budget 0 "$@"
}
raced=(--backend cuda --variants 'classify.*,reduce.*,fused.*' --k 16)

# --- the kernels -------------------------------------------------------------------------------------------------------
check_kernels() {
  for test in "$folder"/tst_*; do
    [[ -x $test ]] || continue
    begin_check "$(basename "$test") passes beside a GPU" "$test"
  done
  end_checks
  reference() { # reference BACKEND: the sample data's reference results
    python3 "$repository/scripts/check-reference.py" "$program" "$1" "$repository/tests/fixtures/reference" "$samples"
  }
  begin_check "verify --thorough passes on the GPU" "$program" verify --thorough --backend cuda --json "$out/verify.json"
  begin_check "reference results on the GPU" reference cuda
  begin_check "reference results on the CPU" reference cpu
  end_checks
  cp "$repository/gpu/kernels/classify/v3_unrolled_dimensions.cu" "$out/mine.cu"
  check "a kernel of one's own iterates on the card" "$program" run --quiet --backend cuda --kernel "$out/mine.cu" \
    --points blobs:n=2^16,d=2,k=8 --k 8 --classify classify.mine
}

# --- the window and its three paths ------------------------------------------------------------------------------------
# Run to convergence, so that every path ends in the same place however many frames it takes.
check_window() {
  data=(--points blobs:n=2^20,d=3,k=8 --k 8 --frames 3000 --size 1440x900)
  check "window on the GPU: shot" shot shared "${data[@]}" --labels-out "$out/shared.npy"
  check "window on the GPU: points are shared" field "$out/shared.json" "r['backend']=='cuda' and r['interop']=='shared'"
  check "OpenGL on the CPU: shot" on_mesa shot staged "${data[@]}" --labels-out "$out/staged.npy"
  check "OpenGL on the CPU: points are staged, and why is said" field "$out/staged.json" \
    "r['backend']=='cuda' and r['interop']=='staged' and len(r['why'])>20"
  check "both paths on the GPU converged" bash -c "cat '$out'/{shared,staged}.json | grep -c '\"converged\": true' | grep -qx 2"
  check "same labels shared and staged" cmp "$out/shared.npy" "$out/staged.npy"
  check "no CUDA device: shot" without_gpu shot cpu "${data[@]}" --labels-out "$out/cpu.npy"
  check "no CUDA device: the CPU computes, and why is said" field "$out/cpu.json" "r['backend']=='cpu' and len(r['why'])>10"
  check "same labels on the GPU and on the CPU" cmp "$out/shared.npy" "$out/cpu.npy"

  check "drifting points on the GPU: shot" shot drift --frames 300 --size 1440x900
  # Each is a median of its own, and medians need not add up: on an H200 they were up to 15 % off.
  check "drifting points on the GPU: stages and the unaccounted time add up to the frame, within a fifth" field "$out/drift.json" \
    "abs(1 - sum(t['median_us'] for t in r['timings'] if t['stage'] not in ('load', 'upload', 'seed') and t['variant'] in [None] + list(r['variants'].values())) / r['frame_us']) < 0.2"

  check "2^24 points in the window: shot" shot large --points drift:n=2^24,d=2,k=16 --k 16 --frames 120 --size 1440x900
  check "2^24 points: shared" field "$out/large.json" "r['interop']=='shared' and r['data']['points']==2**24"
  check "2^24 points: no host copy of points or labels in a frame" field "$out/large.json" "r['host_bytes_per_frame'] < 65536"
  check "2^24 points: unaccounted time is at most 10 % of the frame" field "$out/large.json" \
    "[t for t in r['timings'] if t['stage']=='unaccounted'][0]['median_us'] <= 0.1*r['frame_us']"

  check "2^24 points in space in the window: shot" shot space --points drift:n=2^24,d=3,k=16 --k 16 --frames 120 --size 1440x900
  check "2^24 points in space: shared, and drawn in at most 5 ms (on an H200, whose few rasterising units take 19)" field \
    "$out/space.json" "r['interop']=='shared' and [t for t in r['timings'] if t['stage']=='draw'][0]['median_us'] <= 5000"
}

# --- counters: what the source asks for against what the card does ------------------------------------------------------
check_counters() {
  traced=(--variants 'classify.*,reduce.*,update.*,layout.*' --points uniform:d=3 --n 2^16 --k 16)
  check "trace on the simulator: no races, no faults" "$program" trace "${traced[@]}" --quiet --json "$out/trace.json"
  if [[ -z $profiler ]]; then
    printf 'SKIP  counters against the card: ncu (Nsight Compute) is not on this machine\n'
  else
    check "Nsight Compute counts on the card" count_on_card "$profiler" "$out/ncu.csv" "${traced[@]}"
    card=$("$program" list devices --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["devices"][0]["name"])')
    lines_of "${compare[@]}" "$out/trace.json" "$out/ncu.csv" --card "$card" \
      --explained "$repository/resources/counters/explained.txt" --out "$out"
  fi
  lines_of python3 "$repository/scripts/instruction-mix.py" "$program"
}

# --- times: against the profiler's, against themselves, and what is said of them ---------------------------------------
check_times() {
  for n in 2^20 2^24; do
    for run in 1 2; do
      check "race of $n points, run $run" "$program" bench --quiet "${raced[@]}" --points uniform:d=2 --n "$n" \
        --json "$out/race-$n-$run.json" --html "$out/race-$n-$run.html"
    done
    lines_of python3 "$repository/scripts/check-ranking.py" "$out/race-$n-1.json" "$out/race-$n-2.json"
  done
  check "passes over 2^27 points: verified and raced" "$program" bench --quiet --backend cuda --variants 'fused.*' --k 16 \
    --points uniform --n 2^27 --d 1,2,3 --json "$out/fused.json"
  # The bytes that must move, at the copy rate of one H200: what no pass over all points can take less than. fused.v2 may take
  # half as long again, and a pass over tiles must be below.
  check "fused.v2 at 2^27 points takes at most 1.5 times the byte floor (234, 422 and 609 us on an H200)" \
    at_most fused fused.v2 fused 234 422 609
  check "fused.v3 at 2^27 points is below the byte floor (156, 281 and 406 us on an H200)" at_most fused fused.v3 fused 156 281 406
  for pass in fused.v1 fused.v2 fused.v3; do
    check "whole iterations of 2^20 points by $pass: verified and timed" "$program" bench --quiet --backend cuda --k 16 \
      --variants 'schedule.*' --fused "$pass" --points uniform --n 2^20 --d 1,2,3 --json "$out/schedule-$pass.json"
  done
  check "schedule.graph by fused.v3 takes at most 8 us an iteration of 2^20 points (on an H200)" \
    at_most schedule-fused.v3 schedule.graph iterate 8 8 8
  for pass in fused.v1 fused.v2 fused.v3; do
    for way in "" "--schedule graph"; do
      # shellcheck disable=SC2086
      check "run by $pass $way" "$program" run --quiet --backend cuda --points blobs:n=2^20,d=2,k=16 --k 16 --fused "$pass" $way \
        --labels-out "$out/labels${way:+-schedule}-$pass.npy" --json "$out/run${way:+-schedule}-$pass.json"
    done
    check "$pass: the same labels when the card repeats it" cmp "$out/labels-$pass.npy" "$out/labels-schedule-$pass.npy"
    check "$pass: the same iterations and centroids" python3 -c "import json, sys; a, b = (json.load(open(f)) for f in sys.argv[1:]); sys.exit(any(a[k] != b[k] for k in ('iterations', 'converged', 'centroids')))" \
      "$out/run-$pass.json" "$out/run-schedule-$pass.json"
  done
  kernel_times=$folder/liblloyd_kernel_times.so
  [[ -r $kernel_times ]] || kernel_times=$folder/tests/measure/liblloyd_kernel_times.so
  if [[ -r $kernel_times ]]; then
    check "race of 2^24 points with the driver's own times beside ours" env CUDA_INJECTION64_PATH="$kernel_times" \
      LLOYD_KERNEL_TIMES="$out/kernel-times.csv" "$program" bench --quiet "${raced[@]}" --points uniform:d=2 --n 2^24 --json "$out/timed.json"
    lines_of "${durations[@]}" "$out/timed.json" "$out/kernel-times.csv"
  else
    printf "SKIP  our times against the driver's: liblloyd_kernel_times.so was not built (it needs CUPTI of CUDA 13)\n"
  fi
  # A profiler's own way with caches shows where a kernel lives on them (classify.aos): the driver's times come first.
  if [[ -n $profiler && ! -r $kernel_times ]]; then
    check "Nsight Compute times the kernels" time_on_card "$profiler" "$out/durations.csv" "${raced[@]}" --points uniform:d=2 \
      --n 2^24 --json "$out/profiled.json"
    lines_of "${durations[@]}" "$out/race-2^24-1.json" "$out/durations.csv"
  fi
  statistics=$folder/check_statistics
  [[ -x $statistics ]] || statistics=$folder/tests/measure/check_statistics
  if [[ -x $statistics ]]; then
    lines_of "$statistics" --cuda --variant classify.v7 --n 2^24 --slower 2 --equal 100 --planted 100
  else
    printf 'SKIP  verdicts on the GPU: check_statistics was not built (scripts/check-statistics.sh builds it)\n'
  fi
}

# --- data of many dimensions ---------------------------------------------------------------------------------------------
check_dimensions() { lines_of python3 "$repository/scripts/check-dimensions.py" "$program"; }

# --- launches: how many blocks live at the same time, and what their warps wait for --------------------------------------
# Nsight Compute's shares are of the card that their table names; another card waits otherwise.
check_launch() {
  check "the planner says what the driver says, for every kernel and shape" "$program" plan --quiet --backend cuda --d 1,2,3,16,64 \
    --ks 10,16 --block 32:1024,384,576,640,768 --items 1:32,128:512 --vector 1,2,4 --unroll 1,2,4
  check "every shape of classify.v8, verified or refused" "$program" bench --quiet --backend cuda --variants classify.v8 \
    --block 32:1024 --items 1:32 --vector 1,2,4 --n 2^24 --d 2 --ks 10 --json "$out/shapes.json"
  check "90 shapes" field "$out/shapes.json" \
    "len([x for x in r['results'] if x['vector'] <= x['items'] and (x['verified'] or x['skipped'])]) == 90"
  local card table
  card=$("$program" list devices --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["devices"][0]["name"])')
  table=$repository/resources/waits/$(tr '[:upper:]' '[:lower:]' <<<"$card" | sed -E 's/[^a-z0-9]+/-/g; s/^-|-$//g').csv
  if [[ -z $profiler ]]; then
    printf 'SKIP  what warps wait for: ncu (Nsight Compute) is not on this machine\n'
  elif [[ ! -f $table ]]; then
    printf 'SKIP  what warps wait for: there is no table of %s\n' "$card"
  else
    lines_of python3 "$repository/scripts/warp-waits.py" --check "$table" "$program"
  fi
}

# --- schedules of sets, and points that the card does not hold -----------------------------------------------------------
check_schedules() {
  setting=(--quiet --backend cuda --preset scheduling)
  check "the Scheduling article's setting: verified and raced" "$program" bench "${setting[@]}" \
    --json "$out/scheduling.json" --html "$out/scheduling.html" --timeline "$out/scheduling.csv"
  taken() { # taken WHAT EXPRESSION: of t, each schedule's microseconds for an iteration of a set
    check "$1" python3 -c "import json, sys
rows = [r for r in json.load(open(sys.argv[1]))['results'] if r['stage'] == 'sets']
t = {r['variant'].removeprefix('schedule.'): r['median_us'] for r in rows}
print(t, all(r['verified'] for r in rows))
sys.exit(not (len(t) == 6 and all(r['verified'] for r in rows) and eval(sys.argv[2])))" "$out/scheduling.json" "$2"
  }
  taken "schedule.sync takes at least 3 times as long as schedule.multi" "t['sync'] >= 3 * t['multi']"
  taken "schedule.single takes at most half as long as schedule.sync" "t['single'] <= 0.5 * t['sync']"
  taken "schedule.multi, prefetch and unordered are within 5 %" \
    "max(t['multi'], t['prefetch'], t['unordered']) <= 1.05 * min(t['multi'], t['prefetch'], t['unordered'])"
  lines_of python3 "$repository/scripts/check-timeline.py" waits "$out/scheduling.csv"
  lines_of python3 "$repository/scripts/check-timeline.py" covers "$out/scheduling.csv"
  kernel_times=$folder/liblloyd_kernel_times.so
  [[ -r $kernel_times ]] || kernel_times=$folder/tests/measure/liblloyd_kernel_times.so
  if [[ -r $kernel_times ]]; then
    single=("$program" bench "${setting[@]}" --variants schedule.single --budget 1)
    check "a timeline of schedule.single" "${single[@]}" --timeline "$out/single.csv"
    # A run of its own, because both ask CUPTI, which answers one at a time.
    check "the driver's times of its kernels" env CUDA_INJECTION64_PATH="$kernel_times" \
      LLOYD_KERNEL_TIMES="$out/set-kernel-times.csv" "${single[@]}"
    lines_of python3 "$repository/scripts/check-timeline.py" times "$out/single.csv" "$out/set-kernel-times.csv"
    check "the driver's times of all that schedule.sync does" env CUDA_INJECTION64_PATH="$kernel_times" LLOYD_COPY_TIMES=1 \
      LLOYD_KERNEL_TIMES="$out/sync-times.csv" "$program" bench "${setting[@]}" --variants schedule.sync --budget 1
    lines_of python3 "$repository/scripts/check-timeline.py" idles "$out/sync-times.csv"
  else
    printf "SKIP  bars against the driver's times: liblloyd_kernel_times.so was not built (it needs CUPTI of CUDA 13)\n"
  fi

  several=(--quiet --backend cuda --points "uniform:n=2^16,d=2,seed=9" --k 16)
  check "sixteen restarts one after another" "$program" run "${several[@]}" --restarts 16 --json "$out/row.json"
  check "sixteen restarts as one batch" "$program" run "${several[@]}" --restarts 16 --schedule batched --json "$out/batched.json"
  for seed in {1..16}; do
    "$program" run "${several[@]}" --seed "$seed" --json "$out/alone-$seed.json" >"$out/last.log" 2>&1 ||
      verdict "a run from seed $seed" 1 "$out/last.log"
  done
  check "their best inertia is the least of sixteen runs, bit for bit" python3 -c "import json, sys
several, *alone = (json.load(open(f)) for f in sys.argv[1:])
print(several['inertia'], sorted(r['inertia'] for r in alone)[:2])
sys.exit(several['inertia'] != min(r['inertia'] for r in alone))" "$out"/batched.json "$out"/alone-*.json
  check "a batch takes at most a quarter of the same runs in a row" python3 -c "import json, sys
row, batched, *alone = (json.load(open(f)) for f in sys.argv[1:])
iterations = [sum(r['iterations'] for r in each['restarts']) for each in (row, batched)]
def iteration(r): return sum(t['median_us'] for t in r['timings'] if t['stage'] in ('classify', 'reduce', 'fused', 'update'))
stages = sum(r['iterations'] * iteration(r) for r in alone)
print(batched['restarts_us'], 'us as a batch,', row['restarts_us'], 'in a row, of', iterations, 'iterations; kernels alone', stages)
sys.exit(not 4 * batched['restarts_us'] <= row['restarts_us'])" "$out/row.json" "$out/batched.json" "$out"/alone-*.json
  check "late flags: two iterations needed, seven done" bash -c '"$0" run --quiet --backend cuda --points bands:n=2^20,d=1,spread=0 --k 16 \
    --init bands --schedule multi --late 5 | grep -q "7, converged; 2 were needed"' "$program"

  whole=(--quiet --backend cuda --points "uniform:n=2^27,d=2" --k 16 --init random --iterations 10)
  check "2^27 points on the card" "$program" run "${whole[@]}" --json "$out/whole.json"
  check "the same with memory for a quarter of them" env LLOYD_MEMORY_LIMIT=$((1 << 28)) "$program" run "${whole[@]}" \
    --json "$out/quarter.json"
  check "the same centroids, and tiles that stay in host memory" python3 -c "import json, sys
a, b = (json.load(open(f)) for f in sys.argv[1:])
print(b.get('batches'))
sys.exit(not (a['centroids'] == b['centroids'] and b['batches']['only_shared_tiles']))" "$out/whole.json" "$out/quarter.json"
  timeline=$folder/check_timeline
  [[ -x $timeline ]] || timeline=$folder/tests/measure/check_timeline
  if [[ -x $timeline ]]; then
    lines_of "$timeline"
  else
    printf 'SKIP  a drag over 100,000 bars: check_timeline was not built (ninja check_timeline)\n'
  fi
  streamed=$folder/check_streamed
  [[ -x $streamed ]] || streamed=$folder/tests/measure/check_streamed
  if [[ -x $streamed ]]; then
    lines_of "$streamed"
  else
    printf 'SKIP  rates of points that the card does not hold: check_streamed was not built (ninja check_streamed)\n'
  fi
}

# --- memory and races --------------------------------------------------------------------------------------------------
# compute-sanitizer does not follow graphs that repeat themselves: it takes kernels of one body for one kernel. What such a
# graph repeats is looked at without it.
check_memory() {
  sanitizer=$(command -v compute-sanitizer || true)
  [[ -n $sanitizer || ! -x /usr/local/cuda/bin/compute-sanitizer ]] || sanitizer=/usr/local/cuda/bin/compute-sanitizer
  if [[ -n $sanitizer ]]; then
    for tool in memcheck racecheck initcheck synccheck; do
      begin_check "compute-sanitizer $tool over verify" "$sanitizer" --tool "$tool" --error-exitcode 9 "$program" verify \
        --variants 'classify.*,reduce.*,fused.*,update.*,layout.*' --backend cuda --quiet --json "$out/$tool.json"
      if [[ -x $folder/tst_schedule ]]; then
        begin_check "compute-sanitizer $tool over what schedules repeat" "$sanitizer" --tool "$tool" --error-exitcode 9 \
          "$folder/tst_schedule" "aProfilerSeesPlainLaunches:fused.v1 on cuda" "aProfilerSeesPlainLaunches:fused.v2 on cuda" \
          "aProfilerSeesPlainLaunches:fused.v3 on cuda"
      fi
    done
    for tool in memcheck initcheck; do
      [[ ! -x $folder/tst_set_schedules ]] ||
        begin_check "compute-sanitizer $tool over schedules of sets" "$sanitizer" --tool "$tool" --error-exitcode 9 \
          "$folder/tst_set_schedules" "singleIterationsFindTheSame:fused.v1 on cuda" setsMayShareTheirPoints
      [[ ! -x $folder/tst_streamed_clustering ]] ||
        begin_check "compute-sanitizer $tool over batches" "$sanitizer" --tool "$tool" --error-exitcode 9 \
          "$folder/tst_streamed_clustering" "batchesFindTheSame:fused.v3 on cuda"
    done
    end_checks
    for schedule in sync single multi prefetch unordered batched; do
      for tool in memcheck racecheck initcheck synccheck; do
        begin_check "compute-sanitizer $tool over schedule.$schedule" "$sanitizer" --tool "$tool" --error-exitcode 9 "$program" \
          run --quiet --backend cuda --points uniform:n=3000,d=2 --k 5 --restarts 4 --iterations 12 --schedule "$schedule" --late 2
      done
      end_checks
    done
  fi
}

for part in "${parts[@]}"; do
  if [[ $(type -t "check_$part") != function ]]; then
    printf 'gpu-check.sh: "%s" is no part: kernels, window, counters, times, dimensions, launch, schedules, memory\n' "$part" >&2
    exit 2
  fi
  "check_$part"
done

printf '%s\n' "Pictures and reports: $out"
((failures == 0)) && printf 'all passed\n' || printf '%d failed\n' "$failures"
exit $((failures > 0))
