import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import webpack from 'webpack'
import { root } from '../workspace/files.ts'

const folder = join(root, '.cache', 'bench', 'antd')
const script = 'table.js'
const html = `<!doctype html><title>antd</title><div id="root"></div><script type="module" src="/${script}"></script>`

/** As antd's documentation shows its table. In the sources nobody may import antd beside the kit. */
const page = `import { Button, Dropdown, Input, Table, Tag } from 'antd'
import { createElement, useState } from 'react'
import { createRoot } from 'react-dom/client'

const text = (row, field) => String(row[field] ?? '')
const column = (title, field, render) => ({
  title,
  dataIndex: field,
  sorter: (a, b) => text(a, field).localeCompare(text(b, field)),
  ...(render && { render }),
})
const columns = [
  column('Patient Name', 'patientName', (name) => createElement('a', { href: '#detail' }, name)),
  column('Acquisition Date', 'acqDate'),
  column('Description', 'seriesDescription'),
  column('StudyUID', 'studyUID'),
  column('SeriesUID', 'seriesUID'),
  column('Source', 'source'),
  column('Slice Count', 'noOfImages'),
  column('Compatible SaaS', 'compatibleSaas', (names) => names.map((name) => createElement(Tag, { key: name }, name))),
]

function List({ rows, pageSize }) {
  const [term, setTerm] = useState('')
  const found = rows.filter((row) =>
    columns.some(({ dataIndex }) => text(row, dataIndex).toLowerCase().includes(term.toLowerCase())),
  )
  return createElement(
    'main',
    null,
    createElement(
      Dropdown,
      { trigger: ['click'], menu: { items: [{ key: 'save', label: 'Save this search…' }] } },
      createElement(Button, { className: 'filters' }, 'Filters'),
    ),
    createElement(Input, {
      className: 'search',
      value: term,
      onChange: (event) => setTerm(event.target.value),
      style: { width: 200 },
    }),
    createElement(Table, {
      rowKey: 'seriesUID',
      columns,
      dataSource: found,
      rowSelection: {},
      pagination: { defaultPageSize: pageSize },
    }),
    createElement('p', { className: 'count' }, found.length),
  )
}

const { rows, pageSize } = await (await fetch('/rows')).json()
createRoot(document.getElementById('root')).render(createElement(List, { rows, pageSize }))
`

/** antd's own table, untuned, with these rows in memory. */
export async function serveAntdTable(
  rows: readonly unknown[],
  pageSize: number,
): Promise<{ url: string; stop(): void }> {
  await compile()
  const server = createServer((request, response) => {
    if (request.url === '/rows') response.end(JSON.stringify({ rows, pageSize }))
    else if (request.url === `/${script}`)
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(join(folder, script)))
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** React and antd as the product has them. */
async function compile(): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const entry = join(folder, 'page.js')
  writeFileSync(entry, page)
  const compiler = webpack({
    mode: 'production',
    context: root,
    entry,
    target: ['web', 'es2022'],
    resolve: { modules: ['node_modules', join(root, 'shared', 'kit', 'node_modules')] },
    output: { path: folder, filename: script },
    performance: false,
  })
  await new Promise<void>((done, fail) => {
    compiler.run((error, stats) => {
      if (error ?? stats?.hasErrors()) fail(error ?? new Error(stats?.toString({ all: false, errors: true })))
      else compiler.close(() => done())
    })
  })
}
