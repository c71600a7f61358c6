namespace HangTriage.Facts;

/// <summary>
/// Objects that lead to each other in a circle, and a loop that follows that reference and ends only where it is null, or nothing is left
/// to follow.
/// </summary>
/// <param name="Method">The method with the loop, as <see cref="FrameFacts.Method"/> has it.</param>
/// <param name="Type">The type of the objects.</param>
/// <param name="Field">The field that leads from one to the next, as "Shop.Category.Parent".</param>
/// <param name="Length">How many objects make the circle.</param>
/// <param name="Start">One of them.</param>
public sealed record WorkCircle(string Method, string Type, string Field, int Length, Address Start)
{
    /// <summary>
    /// The collection in which the loop keeps what is still to be followed; null where it follows one reference after the other.
    /// </summary>
    public string? Through { get; init; }
}
