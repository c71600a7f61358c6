using System.Text.Json.Serialization;

namespace HangTriage.Facts;

/// <summary>
/// The program's only methods that end the wait are async methods that have ended with an exception; none of them is under way, and nobody
/// comes to one again.
/// </summary>
/// <param name="Method">One of them, as "App.Desk.ServeAsync".</param>
/// <param name="Exception">The type of its exception, as "System.FormatException"; null where it was not found.</param>
public sealed record FailedGiver(string Method, [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Exception);
