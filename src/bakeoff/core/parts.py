"""Parts: how numba compiles what is only ever inlined into compiled loops.

Numba optimises each function and makes machine code of it, callable on its own. Kernels
are parts of loops and are never called alone; they stop at LLVM's intermediate code as
it first comes, and are optimised once, within the loop. To leave out the machine code
saves a fifth of the time it takes to compile a loop, to optimise once two fifths of the
rest. The loop is as fast as ever and computes the same.
"""

from typing import Any

from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core import typed_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, _LowerResult
from numba.core.compiler_machinery import LoweringPass, register_pass


class PartLibrary(JITCodeLibrary):
    """The intermediate code of a kernel, for others to inline."""

    def _optimize_final_module(self) -> None:
        """Leave it to the loop, which would do it all again."""

    def _finalize_final_module(self) -> None:
        """Leave out machine code."""
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._finalized = True


@register_pass(mutates_CFG=False, analysis_only=False)
class OfferPart(LoweringPass):
    """Let other functions call a kernel that has no machine code."""

    _name = "bakeoff_offer_part"

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def run_pass(self, state: Any) -> bool:
        """Register the intermediate code under an entry that nobody calls."""
        lowered, context = state["cr"], state.targetctx
        module, name = lowered.fndesc.lookup_module(), lowered.fndesc.qualname
        entry = _dynfunc.make_function(
            module, name, "a part of compiled loops", 0, lowered.env, (state.library,)
        )
        context.insert_user_function(entry, lowered.fndesc, [state.library])
        state["cr"] = _LowerResult(
            lowered.fndesc, lowered.call_helper, cfunc=entry, env=lowered.env
        )
        return True


class PartCompiler(CompilerBase):
    """Numba's own compiler, up to machine code."""

    def define_pipelines(self) -> list[Any]:
        """Numba's passes, and ours behind the one that makes intermediate code."""
        state = self.state
        state.flags.no_compile = True
        state.library = PartLibrary(  # type: ignore[no-untyped-call]
            state.targetctx.codegen(), state.func_id.func_qualname
        )
        passes = DefaultPassBuilder.define_nopython_pipeline(state)
        passes.add_pass_after(OfferPart, typed_passes.NativeLowering)
        passes.finalize()
        return [passes]
