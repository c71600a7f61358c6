using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks;

/// <summary>
/// The state machine that the compiler makes of an async method: a structure inside its box in optimised code, an object of
/// its own otherwise. Its fields named <c>&lt;&gt;u__N</c> are awaiters, cleared when the method continues.
/// </summary>
internal static class StateMachine
{
    private const string BoxMarker = "StateMachineBox<";

    /// <summary>The box of an async method, that of a task or of a pooled ValueTask.</summary>
    public static bool IsBox(ClrObject target) => target.Type?.Name is { } name && IsNameOfBox(name) && target.Has("StateMachine");

    /// <summary>The type of such boxes, or of a part of one.</summary>
    public static bool IsNameOfBox(string type) => type.Contains(BoxMarker, StringComparison.Ordinal);

    /// <summary>A state machine that is an object of its own.</summary>
    public static bool IsMachine(ClrObject target) => target.Has("<>1__state") && target.Has("<>t__builder");

    /// <summary>The box that a state machine of its own belongs to; null where it has none yet.</summary>
    public static ClrObject BoxOf(ClrObject machine)
        => machine.Type?.GetFieldByName("<>t__builder") is { } builder
            ? ObjectFields.ObjectsIn(builder.Type, builder.GetAddress(machine.Address)).FirstOrDefault(IsBox)
            : default;

    /// <summary>What the method awaits: what its awaiters hold. None where it awaits nothing that is an object, as Task.Yield.</summary>
    public static IEnumerable<ClrObject> Awaited(ClrObject box)
    {
        (ClrType? type, ulong address, bool isInside) = MachineOf(box);
        foreach (ClrInstanceField awaiter in (type?.Fields ?? []).Where(found => found.Name?.StartsWith("<>u__", StringComparison.Ordinal) == true))
        {
            if (awaiter.IsObjectReference)
            {
                ClrObject value = awaiter.ReadObject(address, isInside);
                if (!value.IsNull)
                {
                    yield return value;
                }
            }
            else
            {
                foreach (ClrObject value in ObjectFields.ObjectsIn(awaiter.Type, awaiter.GetAddress(address, isInside)))
                {
                    yield return value;
                }
            }
        }
    }

    /// <summary>The object whose method it is; null for a static method, and where the method does not use it.</summary>
    public static ClrObject This(ClrObject box)
        => MachineOf(box) is (var type, var address, var isInside) && type?.GetFieldByName("<>4__this") is { IsObjectReference: true } field
            ? field.ReadObject(address, isInside)
            : default;

    /// <summary>The objects that the method's variables hold, and the object whose method it is.</summary>
    public static IEnumerable<ClrObject> Held(ClrObject box)
        => MachineOf(box) is (var type, var address, var isInside) && type is not null
            ? ObjectFields.ObjectsIn(type, isInside ? address : address + (ulong)type.Heap.Runtime.DataTarget.DataReader.PointerSize)
            : [];

    /// <summary>The type of the state machine in it.</summary>
    public static ClrType? TypeIn(ClrObject box) => MachineOf(box).Type;

    private static (ClrType? Type, ulong Address, bool IsInside) MachineOf(ClrObject box)
    {
        if (box.Type?.GetFieldByName("StateMachine") is not { } field)
        {
            return default;
        }

        if (!field.IsObjectReference)
        {
            return (field.Type, field.GetAddress(box.Address), true);
        }

        ClrObject machine = field.ReadObject(box.Address, interior: false);
        return (machine.Type, machine.Address, false);
    }

    /// <summary>The async method of a box, as "App.Window.WorkAsync"; null where the type's name does not tell.</summary>
    public static string? MethodOf(string boxType) => MachineOfBox(boxType) is { } machine ? MethodOfMachine(machine) : null;

    /// <summary>
    /// The name of the state machine's type, as "App.Window+&lt;WorkAsync&gt;d__4"; null where the box's type does not tell.
    /// </summary>
    public static string? MachineOfBox(string boxType)
    {
        int start = boxType.IndexOf(BoxMarker, StringComparison.Ordinal);
        return start < 0 || !boxType.EndsWith('>') ? null : boxType[(start + BoxMarker.Length)..^1];
    }

    /// <summary>"App.Window+&lt;WorkAsync&gt;d__4" is App.Window.WorkAsync; null for a type of another name.</summary>
    public static string? MethodOfMachine(string type)
    {
        int separator = NameBrackets.LastOutside(type, '+', type.Length);
        if (separator < 0 || separator + 1 >= type.Length || type[separator + 1] != '<')
        {
            return null;
        }

        string name = type[(separator + 1)..];
        int end = NameBrackets.Closing(name);
        if (end <= 1)
        {
            return null;
        }

        string declaring = type[..separator];
        int closure = NameBrackets.LastOutside(declaring, '+', declaring.Length);
        return (closure >= 0 && declaring[(closure + 1)..].StartsWith("<>c", StringComparison.Ordinal) ? declaring[..closure] : declaring)
            + "." + name[1..end];
    }
}
