import { isMarkup } from './markup.ts'

const form = (said: string) => `<form method="post"${said}></form>`

describe('markup of a page before its code [P99]', () => {
  it.each([
    '',
    'Ham &amp; Eggs > nothing',
    '<main id="content" tabindex="-1"><!--$--><p class="card">a<!-- -->b<br/></p><!--/$--></main>',
    '<form noValidate="" method="post"><label for="_R_2_">E-mail</label><input id="_R_2_" type="email" name="email"/></form>',
    '<svg viewBox="0 0 1 1" aria-hidden="true"><path d="M0 0"></path></svg>',
    '<a href="/login?next=1&amp;b=2">a</a><a href="#content">b</a><a href="\u{E000}company.termsOfUse\u{E001}" target="_blank">c</a>',
  ])('is text and form: %s', (markup) => expect(isMarkup(markup)).toBe(true))

  it.each([
    // What runs, loads, restyles or sends elsewhere, also where a browser needs no space before it.
    '<p/onclick="x">a</p>',
    '<p class="a"onclick="x">a</p>',
    '<p\nonclick="x">a</p>',
    '<p onclick>a</p>',
    '<p style ="top:0">a</p>',
    '<img src="https://other.invalid"/>',
    '<svg><use href="#a"></use></svg>',
    '<svg><foreignObject></foreignObject></svg>',
    '<math><mtext></mtext></math>',
    form(' action="https://other.invalid"'),
    '<button formaction="/elsewhere">a</button>',
    '<form></form>',
    '<form method="get"></form>',
    '<input type="image"/>',
    '<a href="https://other.invalid">a</a>',
    '<a href="//other.invalid">a</a>',
    '<a href="/\\other.invalid">a</a>',
    '<a href="/\t/other.invalid">a</a>',
    '<a href="/&#9;/other.invalid">a</a>',
    '<a href="javascript:steal()">a</a>',
    '<a href="/login" ping="/elsewhere">a</a>',
    '<meta http-equiv="refresh" content="0"/>',
    '<x-element></x-element>',
    // What ends the place where it stands, or takes in what comes behind it.
    '</template><p>a</p>',
    '<p>a</p></div>',
    '<p>a',
    '<p title="a',
    '<p title=a>a</p>',
    '<div/>',
    '<!-- a',
    '<!--><p>a</p>-->',
    '<plaintext>a</plaintext>',
    '<textarea>a</textarea>',
    '<title>a</title>',
    '<noscript><p title="</noscript>"></p></noscript>',
    '<p>\0</p>',
    // What takes the name of something that scripts look for.
    '<p id="root">a</p>',
    '<p id="dmp-texts">a</p>',
    '<p id="dmpDrawing">a</p>',
    '<p id="remote_account">a</p>',
    form(' name="querySelector"'),
    // What costs.
    'a'.repeat(100_001),
    '<p>'.repeat(101) + '</p>'.repeat(101),
  ])('is nothing else: %s', (markup) => expect(isMarkup(markup)).toBe(false))
})
