namespace HangTriage.Tests.Support.Synthetic;

/// <summary>One instruction of an epilog and the step of the prolog that it undoes; none for the return itself.</summary>
internal sealed record EpilogStep(PrologOperation? Undoes, byte[] Code);
