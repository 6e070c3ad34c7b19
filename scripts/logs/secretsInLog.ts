/** The demo prints these at its start: its accounts are no secret. */
const greeting = 'Demo accounts, all with the password '

/** P23: lines of a server's log that hold a secret of the run; the secret itself is not repeated. */
export function secretsInLog(log: string, secrets: readonly string[]): string[] {
  const searchTerms = [...new Set(secrets)].filter((secret) => secret.length >= 6)
  return log
    .split('\n')
    .filter((line) => !line.startsWith(greeting))
    .flatMap((line) => {
      const leaks = searchTerms.filter((secret) =>
        /^\d{6}$/.test(secret) ? new RegExp(`(?<![\\d.])${secret}(?![\\d.])`).test(line) : line.includes(secret),
      )
      return leaks.length === 0
        ? []
        : [leaks.reduce((text, secret) => text.replaceAll(secret, '…'), line).slice(0, 300)]
    })
}
