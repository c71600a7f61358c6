using HangTriage.Facts.Calls;

namespace HangTriage.Facts;

/// <summary>
/// A thread or a suspended async method in a loop that looks, pauses and looks again: it waits, though nothing blocks it. By the
/// instructions of the method that the compiler made, so nothing is guessed from names of local variables.
/// </summary>
public sealed record PollFacts
{
    /// <summary>Null for an async method.</summary>
    public ThreadId? Thread { get; init; }

    /// <summary>For an async method: the object of its state machine, as <see cref="FlowGroup.Sample"/>.</summary>
    public Address? Flow { get; init; }

    /// <summary>The method that has the loop, as <see cref="FrameFacts.Method"/> has it.</summary>
    public required string Method { get; init; }

    /// <summary>The fields that the loop reads and that can change: "App.SpinGate._taken". A captured variable has its name alone.</summary>
    public required IReadOnlyList<string> Fields { get; init; }

    /// <summary>The methods that the loop calls beside those that pause, read a field or tell the time.</summary>
    public required IReadOnlyList<string> Calls { get; init; }

    public required PollTraits Traits { get; init; }

    /// <summary>What it looks for may have come, and it has yet to see that: its condition could not be followed on the values that are there.</summary>
    public bool MayHaveCome { get; init; }

    /// <summary>Who could still change what it looks at. Null where its fields alone do not decide: it asks other methods.</summary>
    public Known<PollBringers>? Bringers { get; init; }

    /// <summary>It looks whether an object has been collected, and nothing but that ends it.</summary>
    public bool EndsByCollection()
        => Calls.Any(call => call.StartsWith("System.WeakReference", StringComparison.Ordinal))
            && (Traits & (PollTraits.HasExit | PollTraits.HasLimit | PollTraits.HasToken)) == PollTraits.HasExit;

    /// <summary>It looks at an order to end, and tries for no lock: it lasts by design, and nobody is kept waiting in it.</summary>
    public bool IsMeantToLast() => (Traits & PollTraits.TakesLock) == 0 && Fields.Any(PollCalls.IsOrderToEnd);

    /// <summary>It is meant to end, and nothing but others who change what it looks at ends it.</summary>
    public bool WaitsForOthers() => EndsByConditionAlone() && !IsMeantToLast();

    /// <summary>Nothing but what it looks at ends it: no clock, no count, no token, no lock that it gives back and takes again.</summary>
    public bool EndsByConditionAlone()
        => Calls.Count == 0 && (Traits & (PollTraits.HasExit | PollTraits.HasLimit | PollTraits.HasToken | PollTraits.GivesBack)) == PollTraits.HasExit;
}
