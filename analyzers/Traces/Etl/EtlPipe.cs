using System.Runtime.ExceptionServices;

namespace HangTriage.Traces.Etl;

/// <summary>
/// Reads, unpacks and merges buffers on a thread of its own while the caller's decodes: the two halves of the work for two
/// processors.
/// </summary>
internal sealed class EtlPipe
{
    /// <summary>Batches that are filled and not yet decoded.</summary>
    private const int MostBatches = 8;

    private readonly object _gate = new();
    private readonly Queue<EtlBatch> _filled = new();
    private readonly Stack<EtlBatch> _empty = new();
    private bool _isOver;
    private bool _isStopped;
    private ExceptionDispatchInfo? _failure;

    /// <summary>Hands out the events of all batches that the producer adds.</summary>
    /// <param name="produce">Runs on the other thread; what it throws, this throws.</param>
    /// <param name="handler">Runs on this thread.</param>
    public static void Run(Action<EtlPipe> produce, EtlRunHandler handler)
    {
        EtlPipe pipe = new();
        Thread thread = new(() => pipe.Produce(produce)) { IsBackground = true, Name = "buffers of the trace" };
        thread.Start();
        try
        {
            pipe.Consume(handler);
        }
        finally
        {
            pipe.Stop();
            thread.Join();
        }

        pipe._failure?.Throw();
    }

    /// <summary>A batch to fill.</summary>
    public EtlBatch Empty()
    {
        lock (_gate)
        {
            return _empty.TryPop(out EtlBatch? batch) ? batch : new EtlBatch();
        }
    }

    /// <exception cref="OperationCanceledException">Nobody wants more.</exception>
    public void Add(EtlBatch batch)
    {
        lock (_gate)
        {
            while (_filled.Count >= MostBatches && !_isStopped)
            {
                Monitor.Wait(_gate);
            }

            if (_isStopped)
            {
                throw new OperationCanceledException();
            }

            _filled.Enqueue(batch);
            Monitor.PulseAll(_gate);
        }
    }

    private void Produce(Action<EtlPipe> produce)
    {
        try
        {
            produce(this);
        }
        catch (Exception e)
        {
            _failure = ExceptionDispatchInfo.Capture(e);
        }

        lock (_gate)
        {
            _isOver = true;
            Monitor.PulseAll(_gate);
        }
    }

    private void Consume(EtlRunHandler handler)
    {
        while (Filled() is { } batch)
        {
            batch.HandOut(handler);
            lock (_gate)
            {
                _empty.Push(batch);
            }
        }
    }

    private EtlBatch? Filled()
    {
        lock (_gate)
        {
            EtlBatch? batch;
            while (!_filled.TryDequeue(out batch) && !_isOver)
            {
                Monitor.Wait(_gate);
            }

            Monitor.PulseAll(_gate);
            return batch;
        }
    }

    private void Stop()
    {
        lock (_gate)
        {
            _isStopped = true;
            Monitor.PulseAll(_gate);
        }
    }
}
