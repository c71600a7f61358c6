using FsCheck;
using FsCheck.Fluent;
using HangTriage.Capture.Managed.Collections;

namespace HangTriage.Tests.Capture.Managed.Collections;

public sealed class TableCheckerTests
{
    private const int Tables = 10_000;
    private const int MostDamage = 4;

    [Fact]
    public void It_agrees_with_a_naive_model_on_random_tables_healthy_and_damaged_of_both_layouts()
    {
        TableChecker checker = new();
        Arbitrary<(int Seed, bool IsFramework, int Damage)> tables = Arb.From(
            from seed in Gen.Choose(0, int.MaxValue)
            from isFramework in Gen.Elements(true, false)
            from damage in Gen.Choose(0, MostDamage)
            select (seed, isFramework, damage));

        Prop.ForAll(tables, table => Agree(checker, Made(table.Seed, table.IsFramework, table.Damage)))
            .Check(Config.QuickThrowOnFailure.WithMaxTest(Tables));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_healthy_table_has_no_fault(bool isFramework)
    {
        TableChecker checker = new();
        for (int seed = 0; seed < 1000; seed++)
        {
            Assert.Empty(checker.Check(Made(seed, isFramework, damage: 0).Content()));
        }
    }

    private static ModelTable Made(int seed, bool isFramework, int damage)
    {
        Random random = new(seed);
        ModelTable table = ModelTable.Healthy(isFramework, random);
        table.Damage(damage, random);
        return table;
    }

    private static bool Agree(TableChecker checker, ModelTable table)
    {
        Assert.True(
            table.Faults().SetEquals(checker.Check(table.Content()).Select(fault => fault.Kind)),
            $"{table}: {string.Join(", ", table.Faults())} but found {string.Join(", ", checker.Check(table.Content()).Select(fault => fault.Kind))}");
        return true;
    }
}
