"""Tool info of exeunt for BenchExec.

Put `bench/benchexec` into PYTHONPATH and name the tool `exeunt_info.exeunt` in a benchmark
definition; `exeunt` itself is found in the tool directory or in PATH.
"""

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task

ANSWERS = {
    "true": result.RESULT_TRUE_PROP,
    "unknown": result.RESULT_UNKNOWN,
    "false(unreach-call)": result.RESULT_FALSE_REACH,
    "false(no-data-race)": result.RESULT_FALSE_DATARACE,
    "false(no-overflow)": result.RESULT_FALSE_OVERFLOW,
    "false(valid-free)": result.RESULT_FALSE_FREE,
    "false(valid-deref)": result.RESULT_FALSE_DEREF,
    "false(valid-memtrack)": result.RESULT_FALSE_MEMTRACK,
    "false(termination)": result.RESULT_FALSE_TERMINATION,
}


class Tool(benchexec.tools.template.BaseTool2):
    """Explores every schedule of a concurrent program."""

    def name(self):
        return "exeunt"

    def executable(self, tool_locator):
        return tool_locator.find_executable("exeunt")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="exeunt")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", *task.input_files_or_identifier]
        if task.property_file:
            command += ["--property", task.property_file]
            model = get_data_model_from_task(task, {ILP32: "ILP32", LP64: "LP64"})
            command += ["--data-model", model] if model else []
            command += ["--witness", "witness.yml"]
        if rlimits.memory:
            command += ["--memory", str(rlimits.memory * 9 // 10)]
        return command + options

    def determine_result(self, run):
        lines = [line.strip() for line in run.output]
        answers = [ANSWERS[line] for line in lines if line in ANSWERS]
        if answers:
            return answers[-1]
        if run.exit_code.value == 2:
            return "ERROR (bad input)"
        return result.RESULT_UNKNOWN if run.exit_code.value == 3 else result.RESULT_ERROR
