// Whose this machine is, by what it sends, and until when.

export function createConnection({ say, setText, drawFacts, formatTime }) {
  return ({ organization, name, server, account, tokenUntil, isTokenEnding }) => {
    const when = tokenUntil && formatTime(tokenUntil, { dateStyle: 'long' })
    drawFacts('connection', [
      ['organization', organization || '–'],
      ['station', name],
      ['server', server || '–'],
      ['account', account || '–'],
      ...(when ? [['tokenUntil', when]] : []),
    ])
    setText('token-ends', isTokenEnding ? say('tokenEnds', { when: `\u2068${when}\u2069` }) : '')
  }
}
