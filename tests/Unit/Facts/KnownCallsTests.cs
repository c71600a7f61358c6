using HangTriage.Facts.Calls;

namespace HangTriage.Tests.Unit.Facts;

/// <summary>What is known of calls is one room: each row is found, none contradicts another, none of the lists before it is lost.</summary>
public sealed class KnownCallsTests
{
    public static TheoryData<string> Systems => ["Windows", "Linux", "DotNet"];

    [Theory]
    [MemberData(nameof(Systems))]
    public void Each_row_is_found_by_its_name_and_its_number(string system)
        => Assert.All(TablesOf(system), table => Assert.All(table.Rows, row =>
        {
            Assert.Same(row, table.Find(row.IsPrefix ? FullName(row) + "W" : FullName(row)));
            Assert.True(row.Number is not { } number || ReferenceEquals(row, table.Find(number)), row.Name);
            Assert.True(row.Type is null || ReferenceEquals(row, table.Find(row.Type, row.Name)), row.Name);
        }));

    [Theory]
    [MemberData(nameof(Systems))]
    public void No_name_has_two_rows_in_one_system(string system)
        => Assert.DoesNotContain(TablesOf(system).SelectMany(table => table.Rows).GroupBy(FullName), group => group.Count() > 1);

    [Theory]
    [MemberData(nameof(Systems))]
    public void Each_row_says_where_it_is_known_from_and_has_a_canonical_name(string system)
        => Assert.All(TablesOf(system).SelectMany(table => table.Rows), row =>
        {
            Assert.NotEmpty(row.Source);
            Assert.Equal(CallNames.WithoutClass(CallNames.WithoutSignature(CallNames.Canonical(row.Name))), row.Name);
        });

    [Fact]
    public void A_call_that_ends_by_an_argument_says_by_which()
        => Assert.All(LinuxCalls.Table.Rows, row => Assert.Equal(
            row.End is CallEnd.UnlessNull or CallEnd.UnlessNegative or CallEnd.ByOperation, row.TimeoutArgument is >= 3 and <= 5));

    [Theory]
    [InlineData(0x04, "NtWaitForSingleObject")]
    [InlineData(0x34, "NtDelayExecution")]
    [InlineData(0x46, "NtYieldExecution")]
    [InlineData(0x05, null)]
    [InlineData(0x1FFF, null)]
    [InlineData(uint.MaxValue, null)]
    public void A_number_without_a_row_is_nothing(uint number, string? name) => Assert.Equal(name, WindowsCalls.Table.Find(number)?.Name);

    [Theory]
    [InlineData("ZwDelayExecution", "NtDelayExecution")]
    [InlineData("ZwAlpcSendWaitReceivePort", "NtAlpcSendWaitReceivePort")]
    [InlineData("Zw", null)]
    [InlineData(null, null)]
    public void Both_names_of_a_system_call_are_one(string? name, string? canonical) => Assert.Equal(canonical, WindowsCalls.Find(name)?.Name);

    [Theory]
    [InlineData("System.Threading.Thread.Sleep(Int32)", CallMeaning.Sleeps)]
    [InlineData("System.Runtime.CompilerServices.InitHelpers.InitClassSlow", CallMeaning.RunsTypeInitializer)]
    [InlineData("App.Thread.Sleep", null)]
    [InlineData("Sleep", null)]
    public void A_method_is_known_by_its_type_and_without_its_signature(string method, CallMeaning? meaning)
        => Assert.Equal(meaning, DotNetCalls.Find(method)?.Meaning);

    [Theory]
    [InlineData("System.Threading.Tasks.Task<System.Int32>.get_Result", "Task.Result")]
    [InlineData("System.Runtime.CompilerServices.TaskAwaiter.GetResult", "GetAwaiter().GetResult()")]
    [InlineData("System.Threading.Tasks.Task.WaitAllBlockingCore", "Task.WaitAll")]
    [InlineData("System.Threading.Tasks.Task.Wait(Int32)", "Task.Wait")]
    [InlineData("App.Gate.Wait", null)]
    [InlineData("Wait", null)]
    public void A_wait_for_a_task_has_the_name_that_programs_use(string method, string? title) => Assert.Equal(title, TaskCalls.Find(method)?.Title);

    [Theory]
    [MemberData(nameof(Former.Lists), MemberType = typeof(Former))]
    public void No_call_of_the_former_lists_is_lost(string system, CallMeaning meaning, string names)
        => Assert.All(names.Split(' '), name => Assert.Equal(meaning, TablesOf(system).Select(table => table.Find(name)).OfType<KnownCall>().Single().Meaning));

    private static IReadOnlyList<CallTable> TablesOf(string system)
        => system switch { "Windows" => KnownCalls.Windows, "Linux" => KnownCalls.Linux, _ => KnownCalls.DotNet };

    private static string FullName(KnownCall row) => row.Type is null ? row.Name : $"{row.Type}.{row.Name}";
}
