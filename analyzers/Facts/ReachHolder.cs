using System.Text.Json.Serialization;

namespace HangTriage.Facts;

/// <summary>A thread or an async method that leads to what others wait for, and is stuck itself.</summary>
public sealed record ReachHolder
{
    /// <summary>The thread; null for an async method.</summary>
    public ThreadId? Thread { get; init; }

    /// <summary>The box of the async method: <see cref="FlowGroup.Sample"/> of its group where it is in one; null for a thread.</summary>
    public Address? Flow { get; init; }

    /// <summary>The async method, as <see cref="FlowGroup.Method"/> has it; null for a thread.</summary>
    public string? Method { get; init; }

    /// <summary>For an async method: which await it is at.</summary>
    public int? Await { get; init; }

    /// <summary>For an async method: its end leads there, not one of its variables.</summary>
    public bool ByItsEnd { get; init; }

    /// <summary>
    /// For an async method: nothing but itself and what it waits for leads to it, so that nothing can resume it. The next garbage
    /// collection frees it, and with it what it was to do.
    /// </summary>
    public bool IsGarbage { get; init; }

    /// <summary>For garbage: it waits for a delay without end, which is a way not to end, and no work that is lost.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsAtRest { get; init; }
}
