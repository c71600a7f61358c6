namespace HangTriage.Facts;

/// <summary>A .NET runtime that is loaded in the process.</summary>
/// <param name="Flavor">"CoreCLR", ".NET Framework" or "NativeAOT".</param>
/// <param name="Version">The runtime's file or product version, such as "10.0.12".</param>
public sealed record RuntimeFacts(string Flavor, Known<string> Version);
