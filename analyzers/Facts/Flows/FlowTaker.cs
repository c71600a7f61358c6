using System.Text.Json.Serialization;

namespace HangTriage.Facts;

/// <summary>
/// The async method that has taken the one entry of a semaphore, and awaits, over others, one that waits for the same.
/// </summary>
/// <param name="Flow">Its box.</param>
/// <param name="Method">As <see cref="FlowGroup.Method"/> has it.</param>
/// <param name="Variable">Its variable that holds the semaphore, as the program names it.</param>
public sealed record FlowTaker(Address Flow, string Method, string Variable)
{
    /// <summary>It waits for another semaphore, which one has taken that waits for this one in turn, over others or itself.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsInCircle { get; init; }
}
