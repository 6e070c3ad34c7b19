import { squeezeStyles } from './SqueezeStylesPlugin.ts'

it('takes comments and needless spaces out of styles', () => {
  const css = `/* It's the "first" one. */
.a,
.b > .c {
  color: red;
  margin: 0 calc(1px + 2px);
}
@media (min-width: 600px) and (hover: hover) {
  .a :hover::before {
    content: '  /* : ; */  ' "{ 'x' }";
  }
}
`
  expect(squeezeStyles(css)).toBe(
    `.a,.b > .c{color:red;margin:0 calc(1px + 2px)}@media (min-width:600px) and (hover:hover){.a :hover::before{content:'  /* : ; */  ' "{ 'x' }"}}`,
  )
})

it.each([
  ['a mark of a comment in a text', `a{content:'/*'}b{content:'*/'}`],
  ['an address', 'a{background:url(data:image/svg+xml,%3Csvg/%3E)}'],
  ['a value of nothing', ':root{--a:}'],
])('leaves as it is %s', (_what, css) => {
  expect(squeezeStyles(css)).toBe(css)
})
