namespace HangTriage.Rules;

public enum PartyKind
{
    Thread,
    Lock,
    Task,
}
