// Whose this machine is, by what it sends, and until when.

export function createConnection({ byId, say, setText, drawFacts, formatTime, numbers, act }) {
  byId('renew').addEventListener('click', () => act('connect'))
  return ({ organization, name, server, account, tokenUntil, tokenDaysLeft, code }) => {
    const when = tokenUntil && formatTime(tokenUntil, { dateStyle: 'long' })
    drawFacts('connection', [
      ['organization', organization || '–'],
      ['station', name],
      ['server', server || '–'],
      ['account', account || '–'],
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
