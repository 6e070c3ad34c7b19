import { toHotPage, toHotPolicy } from './hotPage.ts'

const hash = `sha384-${'a'.repeat(64)}`

describe('a page of the development server', () => {
  it('checks no hashes of files that change while it is open, and is otherwise the same', () => {
    expect(toHotPage(`<script src="/a.js" integrity="${hash}" nonce="n"></script>{"integrity":"${hash}"}`)).toBe(
      '<script src="/a.js" integrity="" nonce="n"></script>{"integrity":""}',
    )
  })

  it('has one more name for markup, and no other freedom [P30]', () => {
    expect(toHotPolicy("script-src 'self'; require-trusted-types-for 'script'; trusted-types default")).toBe(
      "script-src 'self'; require-trusted-types-for 'script'; trusted-types default webpack-dev-server#overlay",
    )
    expect(toHotPolicy("default-src 'none'")).toBe("default-src 'none'")
  })
})
