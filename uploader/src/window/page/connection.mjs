// Whose this machine is, by what it sends, and until when.

export function createConnection({ byId, say, setText, drawFacts, formatTime, numbers, act }) {
  byId('renew').addEventListener('click', () => act('connect'))
  byId('answer').addEventListener('click', () => act('answer'))
  byId('keep-back').addEventListener('click', () => act('connect'))
  function showQuestion({ question, folders, waiting, code }) {
    byId('question').hidden = !question
    if (!question) return
    const [from, to] = [question.from, question.to].map((name) => `\u2068${name}\u2069`)
    const counts = { folders: numbers.format(folders.length), count: numbers.format(waiting) }
    setText('question-text', say('otherOrganization', { from, to, ...counts }))
    setText('answer', say('sendToOther', { to }))
    byId('keep-back').hidden = Boolean(code)
  }
  return (state) => {
    showQuestion(state)
    showFacts(state)
  }

  function showFacts({ organization, name, server, account, tokenHint, tokenUntil, tokenDaysLeft, code }) {
    const when = tokenUntil && formatTime(tokenUntil, { dateStyle: 'long' })
    drawFacts('connection', [
      ['organization', organization || '–'],
      ['station', name],
      ['server', server || '–'],
      ['account', tokenHint ? say('tokenNamed', { hint: `\u2068${tokenHint}\u2069` }) : account || '–'],
      ...(when ? [['tokenUntil', when]] : []),
    ])
    const isEnding = tokenDaysLeft !== undefined
    setText(
      'token-ends',
      isEnding ? say('tokenEnds', { when: `\u2068${when}\u2069`, days: numbers.format(tokenDaysLeft) }) : '',
    )
    byId('renew').hidden = !isEnding || Boolean(code)
  }
}
