using System.Buffers;
using System.Reflection.Metadata;
using HangTriage.Capture.Managed.Code;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Work;

/// <summary>
/// A hash of the objects that a frame works with: those of its variables and of the static fields that its method reads, and what these
/// lead to.
/// </summary>
internal sealed class FrameContent(ClrRuntime runtime)
{
    private const int MostObjects = 512;
    private const int MostSteps = 3;
    private const int MostOfObject = 4096;
    private const int MostOfStatic = 64;
    private const int MostDepth = 3;
    private const int MostInstructions = 256;
    private const char GenericMark = '`';

    // Who waits for a lock, and what is queued, is no matter of the one who works.
    private static readonly string[] s_leftOut = ["System.Threading.", "System.RuntimeType", "System.Reflection."];

    private readonly ArrayBufferWriter<byte> _bytes = new();
    private readonly HashSet<ulong> _seen = [];
    private readonly Queue<(ClrObject Object, int Steps)> _open = [];
    private readonly HashSet<int> _asked = [];

    /// <returns>Null where a static field could not be read.</returns>
    public string? Of(IlModule module, ClrMethod method, IReadOnlyList<ClrObject> objects)
    {
        foreach (ClrObject found in objects.OrderBy(found => found.Address))
        {
            Add(found, 0);
        }

        if (!AddStatics(module, method, method.MetadataToken, MostDepth))
        {
            return null;
        }

        while (_open.TryDequeue(out (ClrObject Object, int Steps) next))
        {
            Read(next.Object, next.Steps);
        }

        return FrameState.Hash(_bytes.WrittenSpan);
    }

    private void Add(ClrObject found, int steps)
    {
        if (_seen.Count < MostObjects && found is { IsNull: false, Type: { IsFree: false, Name: { } name } }
            && !Array.Exists(s_leftOut, type => name.StartsWith(type, StringComparison.Ordinal)) && _seen.Add(found.Address))
        {
            _open.Enqueue((found, steps));
        }
    }

    private void Read(ClrObject found, int steps)
    {
        byte[] bytes = new byte[(int)Math.Min(found.Size, MostOfObject)];
        int read = runtime.DataTarget.DataReader.Read(found.Address, bytes);
        _bytes.Write(bytes.AsSpan(0, Math.Max(read, 0)));
        if (steps == MostSteps || found.Type is not { ContainsPointers: true })
        {
            return;
        }

        foreach (ClrObject next in found.EnumerateReferences(carefully: true, considerDependantHandles: false).Take(MostOfObject))
        {
            Add(next, steps + 1);
        }
    }

    private bool AddStatics(IlModule module, ClrMethod method, int token, int depth)
    {
        IReadOnlyList<IlInstruction> body = module.Body(token);
        if (!_asked.Add(token) || (depth < MostDepth && body.Count > MostInstructions))
        {
            return true;
        }

        foreach (IlInstruction instruction in body)
        {
            if (instruction.Code is ILOpCode.Ldsfld or ILOpCode.Ldsflda
                && module.Names.Member(instruction.Operand) is { IsOwn: true } field && !AddStatic(method, field))
            {
                return false;
            }

            if (depth > 0 && instruction.IsCall && module.Names.Member(instruction.Operand) is { IsOwn: true } called
                && !AddStatics(module, method, called.Definition, depth - 1))
            {
                return false;
            }
        }

        return true;
    }

    private bool AddStatic(ClrMethod method, IlMember member)
    {
        // What the compiler keeps there it makes once.
        if (member.Type.Contains("+<", StringComparison.Ordinal) || member.Name.StartsWith('<'))
        {
            return true;
        }

        if (method.Type?.Module is not { } owner || runtime.AppDomains.FirstOrDefault() is not { } domain)
        {
            return false;
        }

        // A method can name types that nothing has used yet: they have no fields so far. An instance of a generic type is found by no name.
        if (owner.GetTypeByName(member.Type) is not { } type)
        {
            return !member.Type.Contains(GenericMark, StringComparison.Ordinal);
        }

        if (type.GetStaticFieldByName(member.Name) is not { } field)
        {
            return false;
        }

        if (!field.IsInitialized(domain))
        {
            return true;
        }

        if (field.GetAddress(domain) is not (> 0 and var address))
        {
            return false;
        }

        if (field.IsObjectReference)
        {
            ClrObject held = field.ReadObject(domain);
            _bytes.Write(BitConverter.GetBytes(held.Address));
            Add(held, 0);
            return true;
        }

        byte[] bytes = new byte[Math.Clamp(field.Size, 1, MostOfStatic)];
        int read = runtime.DataTarget.DataReader.Read(address, bytes);
        _bytes.Write(bytes.AsSpan(0, Math.Max(read, 0)));
        return read == bytes.Length;
    }
}
