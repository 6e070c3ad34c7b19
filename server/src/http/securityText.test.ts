import { startServer } from '../testing/server.ts'

const read = async (variables: Record<string, string>) => {
  const server = await startServer(variables)
  const reply = await server.app.inject('/.well-known/security.txt')
  await server.close()
  return reply
}

describe('/.well-known/security.txt', () => {
  it('names the contact of the settings and an expiry that lies ahead, whenever it is read [P21]', async () => {
    const { statusCode, headers, body } = await read({
      DMP_SECURITY_CONTACT: 'mailto:security@clinic.example',
      DMP_PUBLIC_URL: 'https://dmp.clinic.example',
    })
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    const fields = new Map(
      body
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/: (.*)/, 2) as [string, string]),
    )
    expect(fields.get('Contact')).toBe('mailto:security@clinic.example')
    expect(fields.get('Canonical')).toBe('https://dmp.clinic.example/.well-known/security.txt')
    const days = (Date.parse(fields.get('Expires') ?? '') - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(178)
    expect(days).toBeLessThan(365)
  })

  it('is not there without a contact', async () => {
    expect((await read({})).statusCode).toBe(404)
  })

  it.each(['security@clinic.example', 'http://clinic.example/report', 'mailto:a@b.example\nExpires: 1'])(
    'takes a contact that is an address, and nothing else: %j',
    async (contact) => {
      await expect(read({ DMP_SECURITY_CONTACT: contact })).rejects.toThrow('DMP_SECURITY_CONTACT')
    },
  )
})
