using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Flows;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>Who can still come to which instructions of the program.</summary>
/// <param name="Fields">To those that use a static field, or a variable that lambdas share.</param>
/// <param name="Givers">To those that end waits.</param>
/// <param name="Graph">Every call of the program.</param>
/// <param name="Hands">Who has something in hand.</param>
internal sealed record ProgramUsers(FieldUsers Fields, SignalGivers Givers, CallGraph Graph, WorkInHand Hands)
{
    /// <summary>
    /// All of it was read. Where it was not, who can come there is open, and only what those come to that are under way is known.
    /// </summary>
    public required bool IsWhole { get; init; }

    /// <inheritdoc cref="Entries.Of"/>
    public required Func<FlowGrouping, string?> EntryOf { get; init; }

    /// <summary>A delegate of the method exists.</summary>
    public required Func<string, bool> HasDelegate { get; init; }

    /// <summary>The method completes promises with a result, and no other method of the program completes any of this type.</summary>
    public required Func<ClrMethod, ConstructedType, bool> AloneSetsResult { get; init; }

    /// <summary>Null where not all of it was read.</summary>
    public ProgramUsers? Whole => IsWhole ? this : null;

    /// <summary>An instruction of the program names the field.</summary>
    public bool HasField(string field) => Graph.HasField(field);

    /// <summary>The type is of a library that the program uses.</summary>
    public bool IsOfLibrary(ClrType? type)
        => type is not null && (Graph.Libraries.Any(library => library.Address == type.Module.Address) || IsOpaque(type));

    /// <summary>What the module of the type does with what it has is not known.</summary>
    public required Func<ClrType?, bool> IsOpaque { get; init; }

    /// <summary>A thread, an async method or a delegate that .NET calls can come to the method.</summary>
    public bool MayBegin(string method) => Givers.MayBegin(method);
}
