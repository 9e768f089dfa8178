// Runs after `npm install`. CommonJS and plain syntax, because a Node that is too old must be able to read it.
// npm puts node_modules/.bin first in PATH: this is the Node that runs every script, from the packages or, where none fits, the machine's own.
const fs = require('node:fs')
const path = require('node:path')

const NEEDED = 24

/** Links the Node of the packages, because npm 10 does not. Returns false when there is no such package for this machine. */
function linkNode() {
  const own = `node-${process.platform}-${process.arch}`
  const modules = path.join(__dirname, '..', 'node_modules')
  if (!fs.existsSync(path.join(modules, own, 'bin', 'node'))) return false
  fs.symlinkSync(path.join('..', own, 'bin', 'node'), path.join(modules, '.bin', 'node'))
  return true
}

// With either option npm installs no packages, so there is no Node to link.
const isDry = process.env.npm_config_package_lock_only === 'true' || process.env.npm_config_dry_run === 'true'

if (!isDry && Number(process.versions.node.split('.')[0]) < NEEDED && !linkNode()) {
  console.error(
    `tamngan runs on Node ${NEEDED}; none was installed with the packages on this machine (${process.platform}-${process.arch}), and its own is ${process.version}: ` +
      `install Node ${NEEDED} from https://nodejs.org, then run npm install again.`,
  )
  process.exit(1)
}
