namespace Healthy;

internal sealed class Baton;
