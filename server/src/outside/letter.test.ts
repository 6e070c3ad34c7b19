import { writeLetter } from './letter.ts'

const bare = { to: 'ada@north.example', subject: 'News', paragraphs: ['Something happened.'] }
const closing = '--\nThis mail was sent by the Data Management Platform. Please do not reply to it.\n'

describe('a letter', () => {
  it('greets by name only who may be called by it, and leaves out what there is not', () => {
    const { text, html, ...more } = writeLetter(bare)
    expect(text).toBe(`Hello,\n\nSomething happened.\n\n${closing}`)
    expect(html).toContain('<p>Hello,</p><p>Something happened.</p><p style')
    for (const part of ['undefined', 'blockquote', 'monospace', 'href']) expect(html).not.toContain(part)
    expect(more).toEqual({ subject: 'News' })
  })

  it.each(['\r', '\r\n', '\n', '\v', '\f', '\u0085', '\u2028', '\u2029'])(
    'keeps what a person wrote in its quote, whatever ends a line: %j [P14]',
    (end) => {
      const { text } = writeLetter({ ...bare, quote: `One${end}Your account is locked.` })
      expect(text).toBe(`Hello,\n\nSomething happened.\n\n> One\n> Your account is locked.\n\n${closing}`)
    },
  )

  it('says the same as text and as HTML, in one order, with what was typed by people as text [P14]', () => {
    const { text, html } = writeLetter({
      ...bare,
      name: 'Dr Ada <Berg>',
      quote: 'One & two\nthree',
      code: '123456',
      link: { label: 'Open', address: 'https://dmp.example/x?a=1&b=2' },
      afterwards: ['That is all.'],
    })
    expect(text).toBe(
      `Dear Dr Ada <Berg>,\n\nSomething happened.\n\n> One & two\n> three\n\n    123456\n\nOpen: https://dmp.example/x?a=1&b=2\n\nThat is all.\n\n${closing}`,
    )
    const words = html
      .replace(/<head>.*<\/head>/, '')
      .replaceAll('<br>', '\n')
      .replace(/<[^>]+>/g, '|')
      .replace(/\|+/g, '|')
    expect(words).toBe(
      '|Data Management Platform|Dear Dr Ada &lt;Berg&gt;,|Something happened.|One &amp; two\nthree|123456|Open|https://dmp.example/x?a=1&amp;b=2|That is all.|This mail was sent by the Data Management Platform. Please do not reply to it.|',
    )
    expect(html).toContain('href="https://dmp.example/x?a=1&amp;b=2"')
  })

  it('is said in the language of its reader, but for what people typed', () => {
    const { subject, text, html } = writeLetter(
      {
        ...bare,
        subject: 'Your verification code',
        name: 'Dr Ada Berg',
        paragraphs: ['Please enter this code to finish signing in. It is valid for 15 minutes and works once.'],
        quote: 'Test mail',
        code: '123456',
      },
      'de',
    )
    expect(subject).toBe('Ihr Bestätigungscode')
    for (const part of ['15 Minuten', 'Guten Tag Dr. Ada Berg,', '> Test mail', '123456']) expect(text).toContain(part)
    expect(text).not.toMatch(/minutes|Please|Dear/)
    expect(html).toContain('<html lang="de" dir="ltr">')
  })

  it.each([
    ['de', 'Mrs Nora Lind', 'Guten Tag Frau Nora Lind,'],
    ['fr', 'Mr Noah Weber', 'Bonjour M. Noah Weber,'],
    ['de', 'Mrsmith', 'Guten Tag Mrsmith,'],
    [undefined, 'Mrs Nora Lind', 'Dear Mrs Nora Lind,'],
  ])('addresses in %s a %s by the title of the language', (language, name, greeting) => {
    expect(writeLetter({ ...bare, name }, language).text.startsWith(greeting)).toBe(true)
  })

  it('runs from right to left in Arabic', () => {
    expect(writeLetter(bare, 'ar').html).toContain('<html lang="ar" dir="rtl">')
  })
})
