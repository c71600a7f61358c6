using System.Text.Json.Nodes;

namespace HangTriage.Tests.Support.Samples;

/// <summary>Where a sample is judged otherwise than its expected.json says of it: an entry of "cells". See samples/README.md.</summary>
/// <param name="Why">The reason, which the table prints.</param>
public sealed record CellRule(string Why)
{
    /// <summary>"net8.0"; null for every framework.</summary>
    public string? Framework { get; init; }

    /// <summary>A kind of dump as <see cref="DumpKinds.Name"/> has it, or "linux" for the cores; null for every kind.</summary>
    public string? Dump { get; init; }

    /// <summary>Members that replace those of the file; null takes one away.</summary>
    public JsonObject? Expect { get; init; }

    /// <summary>The verdict is Inconclusive, and one of its gaps has this text.</summary>
    public string? Gap { get; init; }

    /// <summary>The program is not run there, so there is no dump of it at all.</summary>
    public bool Skip { get; init; }

    /// <summary>A dump that cannot show the sample's verdict has to be named by its own name, unless the program is not run.</summary>
    public bool IsFor(string framework, DumpKind dump)
        => (Framework is null || Framework == framework)
            && (Dump == dump.Name() || (IsForGroupOf(dump) && (Skip || !dump.IsBlind())));

    private bool IsForGroupOf(DumpKind dump) => Dump is null || Dump == (dump.IsCore() ? "linux" : "windows");
}
