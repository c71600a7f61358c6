namespace HangTriage.Reports.Html;

/// <summary>How the page looks: light and dark as the reader's system, one column that fits a phone.</summary>
internal static class HtmlStyle
{
    public const string Css = """
        :root{color-scheme:light dark;--back:#fff;--text:#1f2328;--soft:#59636e;--line:#d1d9e0;--panel:#f6f8fa;--link:#0969da;--bad:#cf222e;--lock:#fff8c5;--task:#ddf4ff;--crowd:#fbefff}
        @media (prefers-color-scheme:dark){:root{--back:#0d1117;--text:#f0f6fc;--soft:#9198a1;--line:#3d444d;--panel:#151b23;--link:#4493f8;--bad:#f85149;--lock:#332a00;--task:#0c2d4d;--crowd:#2b1b3d}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--back);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
        main{max-width:60rem;margin:0 auto;padding:1rem}
        h1{font-size:1.6rem;line-height:1.25;margin:.5rem 0;color:var(--bad);overflow-wrap:anywhere}
        h2{font-size:1.2rem;margin:1.8rem 0 .5rem;border-bottom:1px solid var(--line)}
        h1.calm{color:inherit}
        p,li,td,summary{overflow-wrap:anywhere}
        p.lead{font-size:1.1rem}
        a{color:var(--link)}
        table{border-collapse:collapse;width:100%;font-size:.9rem}
        th,td{border:1px solid var(--line);padding:.3rem .5rem;text-align:left;vertical-align:top}
        th{background:var(--panel)}
        td:first-child{white-space:nowrap}
        .box td:first-child{color:var(--soft);width:8rem}
        .scroll{overflow-x:auto}
        pre{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:.6rem;overflow-x:auto;font:13px/1.45 ui-monospace,Consolas,Menlo,monospace}
        details{border:1px solid var(--line);border-radius:6px;margin:.5rem 0;padding:0 .7rem}
        summary{cursor:pointer;padding:.45rem 0}
        :target{outline:3px solid var(--link);outline-offset:3px;scroll-margin-top:4rem}
        svg{display:block;margin:.5rem auto;max-width:none}
        svg text{fill:var(--text);font:13px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;text-anchor:middle}
        svg .name{font-weight:600}
        svg .edge{fill:var(--soft);font-size:12px;paint-order:stroke;stroke:var(--back);stroke-width:4px}
        svg rect{fill:var(--panel);stroke:var(--line);stroke-width:1.5}
        svg .lock rect{fill:var(--lock)}svg .task rect{fill:var(--task)}svg .crowd rect,svg .pool rect{fill:var(--crowd)}
        svg .culprit rect{stroke:var(--bad);stroke-width:3}
        svg path{fill:none;stroke:var(--soft);stroke-width:1.5}
        svg path.indirect{stroke-dasharray:5 4}
        svg marker path{fill:var(--soft);stroke:none}
        svg a:hover rect,svg a:focus rect{stroke:var(--link)}
        """;
}
