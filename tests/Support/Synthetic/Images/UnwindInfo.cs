namespace HangTriage.Tests.Support.Synthetic;

/// <summary>Encodes the UNWIND_INFO of a function.</summary>
internal static class UnwindInfo
{
    private const int HandlerFlags = 0x3;
    private const int ChainFlag = 0x4;

    /// <param name="function">A function with a prolog.</param>
    /// <param name="parentEntry">The RUNTIME_FUNCTION of the parent, for a part that extends one.</param>
    public static byte[] Encode(SyntheticFunction function, ReadOnlySpan<byte> parentEntry)
    {
        SyntheticProlog prolog = function.Prolog!;
        ByteWriter codes = new();
        if (prolog.ListsEpilogs && function.Epilog is not null)
        {
            WriteEpilogs(codes, function);
        }

        foreach (PrologOperation operation in prolog.Operations.Reverse())
        {
            WriteCode(codes, operation);
        }

        int flags = function.Parent is not null ? ChainFlag : prolog.HasHandler ? HandlerFlags : 0;
        SyntheticProlog? frame = function.FrameProlog;
        ByteWriter info = new();
        info.U8((byte)((prolog.ListsEpilogs ? 2 : 1) | (flags << 3))).U8((byte)prolog.Length).U8((byte)(codes.Length / 2));
        info.U8((byte)((int)(frame?.FrameRegister ?? 0) | (int)(frame?.FrameOffset ?? 0)));
        info.Bytes(codes.ToArray()).Align(4);
        if (function.Parent is not null)
        {
            return info.Bytes(parentEntry).ToArray();
        }

        return prolog.HasHandler ? info.U32(function.Rva).U32(0x1234_5678).ToArray() : info.ToArray();
    }

    // The first code holds the size of each epilog and whether one ends the function; then comes one code for each
    // other epilog, by its distance from the function's end. An empty one makes their number even.
    private static void WriteEpilogs(ByteWriter codes, SyntheticFunction function)
    {
        const int Epilog = 6;
        int listed = function.Epilog!.ListedOffset;
        int size = function.Epilog.Code.Length - listed;
        codes.U8((byte)size).U8(Epilog | (1 << 4));
        foreach (int offset in function.Prolog!.FurtherEpilogs)
        {
            int distance = function.Size - (offset + listed);
            codes.U8((byte)distance).U8((byte)(Epilog | ((distance >> 8) << 4)));
        }

        if (function.Prolog.FurtherEpilogs.Count % 2 == 0)
        {
            codes.U8(0).U8(Epilog);
        }
    }

    private static void WriteCode(ByteWriter codes, PrologOperation operation)
    {
        uint value = operation.Value;
        int register = (int)operation.Register;
        switch (operation.Kind)
        {
            case PrologOperationKind.Push:
                Start(0, register);
                break;
            case PrologOperationKind.AllocateLarge:
                Start(1, 0).U16((ushort)(value / 8));
                break;
            case PrologOperationKind.AllocateHuge:
                Start(1, 1).U32(value);
                break;
            case PrologOperationKind.AllocateSmall:
                Start(2, (int)(value / 8) - 1);
                break;
            case PrologOperationKind.SetFrame:
                Start(3, 0);
                break;
            case PrologOperationKind.Save:
                Start(4, register).U16((ushort)(value / 8));
                break;
            case PrologOperationKind.SaveFar:
                Start(5, register).U32(value);
                break;
            case PrologOperationKind.SaveXmm:
                Start(8, register).U16((ushort)(value / 16));
                break;
            case PrologOperationKind.SaveXmmFar:
                Start(9, register).U32(value);
                break;
            case PrologOperationKind.MachineFrame:
                Start(10, (int)value);
                break;
            default:
                throw new ArgumentOutOfRangeException(nameof(operation), operation.Kind, null);
        }

        ByteWriter Start(int code, int information)
            => codes.U8((byte)operation.EndOffset).U8((byte)(code | (information << 4)));
    }
}
