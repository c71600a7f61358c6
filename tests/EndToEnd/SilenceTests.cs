using HangTriage.Cli;

namespace HangTriage.Tests.EndToEnd;

/// <summary>When a worker is taken for stuck: only where it reads with code that may never return, and by the time since its last step.</summary>
public sealed class SilenceTests
{
    private readonly Silence _silence = new(TimeSpan.FromSeconds(30));

    [Fact]
    public void Before_such_code_there_is_no_limit()
    {
        _silence.Hear(Sign.Step);
        Pass(TimeSpan.FromHours(1));
        Assert.False(_silence.IsTooLong);
    }

    [Fact]
    public void After_such_code_there_is_no_limit()
    {
        _silence.Hear(Sign.Begin);
        _silence.Hear(Sign.End);
        _silence.Hear(Sign.Step);
        Pass(TimeSpan.FromHours(1));
        Assert.False(_silence.IsTooLong);
    }

    [Fact]
    public void Silence_ends_at_its_limit()
    {
        _silence.Hear(Sign.Begin);
        Pass(TimeSpan.FromSeconds(29));
        Assert.False(_silence.IsTooLong);
        Pass(TimeSpan.FromSeconds(1));
        Assert.True(_silence.IsTooLong);
    }

    [Fact]
    public void Reading_that_makes_progress_may_take_as_long_as_it_likes()
    {
        _silence.Hear(Sign.Begin);
        for (int i = 0; i < 1_000; i++)
        {
            Pass(TimeSpan.FromSeconds(29));
            _silence.Hear(Sign.Step);
        }

        Assert.False(_silence.IsTooLong);
    }

    private void Pass(TimeSpan time)
    {
        for (TimeSpan passed = TimeSpan.Zero; passed < time; passed += Silence.Tick)
        {
            _silence.Grow();
        }
    }
}
