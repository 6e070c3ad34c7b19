// The part of the window about what failed: one entry for a cause, and for a study of what was refused.

/** Dropped and not copied: nothing of it is here. */
const isNotCopied = (code) => code?.startsWith('NOT_COPIED') === true

/** Returns what draws it; the helpers are those of the page. */
export function createFailures({ byId, say, draw, setText, create, named, numbers, formatTime, toReason, reasons }) {
  function drawFailure({ path, reason, code, isFinal, at, count, patient, study }) {
    const said = toReason({ code, reason })
    const whose = [patient, study].filter(Boolean).flatMap((part) => [' · ', named(part)])
    const facts = [say(isNotCopied(code) ? 'dropAgain' : isFinal ? 'final' : 'later'), formatTime(at)]
    if (count > 1 && whose.length > 0) facts.unshift(say('failureFiles', { count: numbers.format(count) }))
    const last = count > 1 ? [' · ', say('failureLast', { path: `\u2068${path}\u2069` })] : []
    const title =
      whose.length > 0
        ? whose.slice(1)
        : count > 1
          ? say('failureFiles', { count: numbers.format(count) })
          : named(path)
    return create('li', [
      create('strong', title),
      create('p', named(said)),
      // The server says it more precisely, and those who help read that.
      ...(said === reason || reasons[code] === reason
        ? []
        : [create('p', create('bdi', reason, { lang: 'en' }), { className: 'original' })]),
      create('small', [facts.join(' · '), ...(whose.length > 0 && count === 1 ? [' · ', named(path)] : last)]),
    ])
  }

  return ({ failures, counts }) => {
    setText(
      'no-failures',
      counts.refused > 0 ? say('cleared', { count: numbers.format(counts.refused) }) : say('noFailures'),
    )
    byId('no-failures').hidden = failures.length > 0
    byId('clear').hidden = failures.length === 0
    draw('failures', failures, () => failures.map(drawFailure))
  }
}
