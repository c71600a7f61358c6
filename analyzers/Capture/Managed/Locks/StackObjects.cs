using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>The objects that a thread's frames hold.</summary>
internal sealed class StackObjects
{
    private const int BaseTypes = 16;
    private const int RootLimit = 65_536;

    private readonly List<(ClrStackFrame? Frame, ClrObject Object)> _roots = [];
    private readonly List<(ClrStackFrame? Frame, ClrObject Object)> _interior = [];

    private StackObjects()
    {
    }

    public static StackObjects Of(ClrThread thread)
    {
        StackObjects objects = new();
        foreach (HeldObject root in StackRoots.Of(thread).Take(RootLimit))
        {
            if (root is { Object: { IsNull: false, Type: not null } held })
            {
                (root.IsInterior ? objects._interior : objects._roots).Add((root.Frame, held));
            }
        }

        return objects;
    }

    /// <summary>The objects of that type, or one derived from it, that these frames hold, each once.</summary>
    public IReadOnlyList<ClrObject> In(IReadOnlyList<ClrStackFrame> frames, string type)
        => [.. Of(_roots, frames).Where(held => Is(held, type))];

    /// <summary>
    /// The same of a call's own frames; of the method that made the call where all of its methods were compiled into that.
    /// </summary>
    public IReadOnlyList<ClrObject> In(BlockedCall call, string type)
        => call.Caller is { } caller && call.Frames.All(frame => frame.Kind != ClrStackFrameKind.ManagedMethod)
            ? In([caller], type)
            : In(call.Frames, type);

    /// <summary>The objects that these frames hold a reference into, to a field or an element, each once.</summary>
    public IReadOnlyList<ClrObject> AroundIn(IReadOnlyList<ClrStackFrame> frames) => [.. Of(_interior, frames)];

    /// <summary>The objects of that type, or one derived from it, that any frame holds, each once.</summary>
    public IReadOnlyList<ClrObject> All(string type)
        => [.. _roots.Where(root => Is(root.Object, type)).Select(root => root.Object).DistinctBy(found => found.Address)];

    /// <summary>The same, and those that are a field of an object which some frame holds.</summary>
    public IReadOnlyList<ClrObject> AllWithFields(string type)
        => [.. All(type)
            .Concat(_roots.DistinctBy(root => root.Object.Address).SelectMany(root => Fields(root.Object)).Where(held => Is(held, type)))
            .DistinctBy(found => found.Address)];

    public static bool Is(ClrObject found, string type) => Is(found.Type, type);

    public static bool Is(ClrType? found, string type)
    {
        ClrType? current = found;
        for (int depth = 0; current is not null && depth < BaseTypes; depth++, current = current.BaseType)
        {
            if (current.Name == type)
            {
                return true;
            }
        }

        return false;
    }

    private static IEnumerable<ClrObject> Of(List<(ClrStackFrame? Frame, ClrObject Object)> roots, IReadOnlyList<ClrStackFrame> frames)
        => roots
            .Where(root => root.Frame is { } frame
                && frames.Any(own => own.StackPointer == frame.StackPointer && own.InstructionPointer == frame.InstructionPointer))
            .Select(root => root.Object)
            .DistinctBy(found => found.Address);

    private static IEnumerable<ClrObject> Fields(ClrObject holder)
        => holder.Type!.Fields.Where(field => field.IsObjectReference).Select(field => field.ReadObject(holder.Address, interior: false)).Where(held => !held.IsNull);
}
