using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;
using HangTriage.Tests.Unit.Rules;

namespace HangTriage.Tests.Unit.Policy;

/// <summary>Cases for rows of the policy that no page's example reaches, a file for each family of patterns.</summary>
internal static class MoreCases
{
    public static IEnumerable<(string Name, Case Case)> All()
        =>
        [
            .. CycleCases.All(),
            .. LoaderCases.All(),
            .. OwnerCases.All(),
            .. SpinCases.All(),
            .. AnswerCases.All(),
            .. TaskCases.All(),
            .. PoolCases.All(),
            .. TableCases.All(),
            .. OutsideCases.All(),
            .. SignalCases.All(),
            .. MoverCases.All(),
            .. PollCases.All(),
            .. TraceAloneCases.All(),
            ("a static constructor that is not seen to end", Case.Of(TypeInitializer())),
            .. ThreadAtWorkRuleTests.Cases(),
            .. AgeTests.Cases(),
            .. WorkRoundTests.Cases(),
            ("a crash", Case.Of(CrashTests.Crashed())),
            ("a lock that is passed on", Case.Of([TurnTakers.Turn(owner: 3, earlier: TimeSpan.FromSeconds(10)), TurnTakers.Turn(owner: 1)])),
        ];

    private static ProcessSnapshot TypeInitializer() => SnapshotBuilder.Linux()
        .Thread(1, "System.Threading.WaitHandle.WaitOneNoCheck", "App.Settings..cctor", "[InlinedCallFrame]", "System.Runtime.CompilerServices.InitHelpers.InitClassSlow", "App.Load")
        .Thread(2, "[InlinedCallFrame]", "System.Runtime.CompilerServices.InitHelpers.InitClassSlow", "App.Work")
        .Build();
}
