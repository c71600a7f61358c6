using System.Text.Json.Serialization;

namespace HangTriage.Facts;

/// <summary>
/// The async method that has taken the one entry of a semaphore, and awaits, over others, one that waits for the same, or waits so itself.
/// </summary>
/// <param name="Flow">Its box.</param>
/// <param name="Method">As <see cref="FlowGroup.Method"/> has it.</param>
/// <param name="Variable">Its variable that holds the semaphore, or what gives the entry back, as the program names it.</param>
public sealed record FlowTaker(Address Flow, string Method, string Variable)
{
    /// <summary>It waits for another semaphore, which one has taken that waits for this one in turn, over others or itself.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsInCircle { get; init; }

    /// <summary>
    /// Where it waits: <see cref="FlowGroup.Sample"/> of the innermost async method that it awaits, or of itself; null where that is not known.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public Address? End { get; init; }

    /// <summary>It waits for the same semaphore itself, which it has by another name.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsItself { get; init; }
}
