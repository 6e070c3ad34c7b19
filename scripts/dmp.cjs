'use strict'
// Behind every npm script, in words that the oldest Nodes know: they would end with a syntax error of ours before
// anything could be said to whoever has one. The rest is `dmp.mjs`.

const cure = 'Install a newer Node (nodejs.org or your package manager) and run it again.'
if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error('This needs Node 20 or newer to start; this is Node ' + process.version + '. ' + cure)
  process.exit(1)
}

// A file of its own: Nodes before 10 read no line with an import() in it.
require('./loadDmp.cjs')
