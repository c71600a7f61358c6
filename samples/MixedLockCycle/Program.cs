using Samples;

namespace MixedLockCycle;

/// <summary>A circle through three kinds of lock. See README.md.</summary>
internal static class Program
{
    private static readonly object s_accounts = new();
#if NET9_0_OR_GREATER
    private static readonly Lock s_journal = new();
#else
    private static readonly object s_journal = new();
#endif
    private static readonly ReaderWriterLockSlim s_index = new();
    private static readonly Barrier s_allHold = new(4);

    private static void Main()
    {
        Warmth.Up(OpenTheCircle);
        Stage.ReadyWhenAllWait(
            Stage.Start("teller", UpdateIndex),
            Stage.Start("searcher", WriteJournal),
            Stage.Start("book-keeper", SettleAccounts),
            Stage.Start("reporter", ReadIndex));
    }

    // Without its teller or its book-keeper.
    private static void OpenTheCircle()
    {
        s_allHold.RemoveParticipant();
        Warmth.Join(Stage.Start("searcher", WriteJournal), Stage.Start("book-keeper", SettleAccounts), Stage.Start("reporter", ReadIndex));
        Thread teller = Stage.Start("teller", () =>
        {
            UpdateIndex();
            s_index.ExitWriteLock();
        });
        Warmth.Join(teller, Stage.Start("searcher", WriteJournal), Stage.Start("reporter", ReadIndex));
        s_allHold.AddParticipant();
    }

    /// <summary>Holds the accounts, wants to write the index.</summary>
    private static void UpdateIndex()
    {
        lock (s_accounts)
        {
            s_allHold.SignalAndWait();
            s_index.EnterWriteLock();
        }
    }

    /// <summary>Reads the index, wants the journal.</summary>
    private static void WriteJournal()
    {
        s_index.EnterReadLock();
        s_allHold.SignalAndWait();
        lock (s_journal)
        {
            s_index.ExitReadLock();
        }
    }

    /// <summary>Holds the journal, wants the accounts: the circle is closed.</summary>
    private static void SettleAccounts()
    {
        lock (s_journal)
        {
            s_allHold.SignalAndWait();
            lock (s_accounts)
            {
                Console.WriteLine("never printed");
            }
        }
    }

    /// <summary>Outside the circle: wants the accounts.</summary>
    private static void ReadIndex()
    {
        s_allHold.SignalAndWait();
        lock (s_accounts)
        {
            Console.WriteLine("never printed");
        }
    }
}
