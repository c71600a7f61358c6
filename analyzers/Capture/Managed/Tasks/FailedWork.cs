namespace HangTriage.Capture.Managed.Tasks;

/// <summary>A method that has ended with an exception.</summary>
/// <param name="FullName">The method that has its instructions, as "App.Desk+&lt;ServeAsync&gt;d__4.MoveNext".</param>
/// <param name="Method">As it is written, as "App.Desk.ServeAsync".</param>
/// <param name="Exception">The type of the exception; null where it was not found.</param>
internal sealed record FailedWork(string FullName, string Method, string? Exception);
