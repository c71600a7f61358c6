namespace HangTriage.Tests.Support.Synthetic;

/// <summary>The epilog that undoes a prolog: restores, frees, pops, returns.</summary>
internal sealed class Epilog
{
    private Epilog(IReadOnlyList<EpilogStep> steps)
    {
        Steps = steps;
        Code = [.. steps.SelectMany(step => step.Code)];
        int pops = steps.Where(step => step.Undoes is null or { Kind: PrologOperationKind.Push }).Sum(step => step.Code.Length);
        ListedOffset = Code.Length - pops;
    }

    public IReadOnlyList<EpilogStep> Steps { get; }

    public byte[] Code { get; }

    /// <summary>Where the part begins that unwind codes of version 2 list: the pops and the return.</summary>
    public int ListedOffset { get; }

    public static Epilog Of(SyntheticProlog prolog)
    {
        List<EpilogStep> steps = [];
        bool isFreed = false;
        foreach (PrologOperation operation in prolog.Operations.Reverse())
        {
            byte[] code = Undo(prolog, operation, ref isFreed);
            steps.Add(new EpilogStep(operation, code));
        }

        steps.Add(new EpilogStep(null, Instructions.Return));
        return new Epilog(steps);
    }

    // With a frame register one lea frees all that was allocated, at the place of the innermost of these steps.
    private static byte[] Undo(SyntheticProlog prolog, PrologOperation operation, ref bool isFreed)
    {
        Register at = prolog.FrameRegister ?? Register.Rsp;
        int below = prolog.FrameRegister is null ? 0 : (int)prolog.FrameOffset;
        if (operation.SavesGeneral)
        {
            return Instructions.Load(operation.Register, at, (int)operation.Value - below);
        }

        if (operation.SavesXmm)
        {
            return Instructions.LoadXmm((int)operation.Register, at, (int)operation.Value - below);
        }

        if (operation.Kind == PrologOperationKind.Push)
        {
            return Instructions.Pop(operation.Register);
        }

        if (isFreed)
        {
            return [];
        }

        if (prolog.FrameRegister is null)
        {
            return Instructions.Free(operation.Value);
        }

        isFreed = true;
        long allocated = prolog.Operations.TakeWhile(step => step.Kind != PrologOperationKind.SetFrame).Where(step => step.Allocates).Sum(step => step.Value);
        return Instructions.AddressOf(Register.Rsp, at, (int)allocated - below);
    }
}
