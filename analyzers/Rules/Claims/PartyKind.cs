namespace HangTriage.Rules.Claims;

public enum PartyKind
{
    Thread,
    Lock,
    Task,
    Pool,
}
