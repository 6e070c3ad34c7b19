import type { IncomingMessage, ServerResponse } from 'node:http'

/** Says why there is no answer yet: to people as a page that loads itself anew, to programs as calls' errors. */
export function answerProblem(problem: string, request: IncomingMessage, response: ServerResponse): void {
  const isPage = request.headers.accept?.includes('text/html') ?? false
  const text = isPage ? toProblemPage(problem) : toProblemJson(problem)
  response.writeHead(503, {
    'content-type': `${isPage ? 'text/html' : 'application/json'}; charset=utf-8`,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'retry-after': '1',
  })
  response.end(text)
}

/** The error envelope of docs/decisions/0002-the-wire.md. */
const toProblemJson = (problem: string): string =>
  JSON.stringify({
    code: 'NOT_READY',
    message: `There is no answer yet: ${problem.replaceAll('\n', ' ')} There is one again as soon as that is mended.`,
    requestId: 'development',
  })

/** A page of its own, whose script asks until the answer is another one. */
export const toProblemPage = (problem: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>This page cannot be shown yet</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem 1.5rem; }
pre { padding: 1rem; border: 1px solid; border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
</style>
</head>
<body>
<main>
<h1>This page cannot be shown yet</h1>
<pre tabindex="0">${escapeHtml(problem)}</pre>
<p role="status">This page comes back by itself as soon as that is mended.</p>
</main>
<script>
let first
setInterval(async () => {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
  const text = await answer.text()
  if (answer.status !== 503 || text !== (first ??= text)) location.reload()
}, 1000)
</script>
</body>
</html>
`

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
