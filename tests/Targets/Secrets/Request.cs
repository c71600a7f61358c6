namespace Secrets;

internal sealed class Request
{
    public required string Token { get; init; }
}
