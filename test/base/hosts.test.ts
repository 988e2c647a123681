import { describe, expect, it } from 'vitest'
import { hostOf } from '../../src/base/hosts.js'

describe('the host', () => {
  it.each<[string | number, string]>([
    ['https://example.org/a/b', 'example.org'],
    ['https://Example.ORG', 'example.org'],
    ['HTTP://example.org:80/a', 'example.org'],
    ['https://example.org:443?q', 'example.org'],
    ['https://example.org:80/', 'example.org:80'],
    ['http://example.org:8080#top', 'example.org:8080'],
    ['https://user:pass@example.org/x@y', 'example.org'],
    ['//example.org/a', 'example.org'],
    ['ftp://[::1]:21/a', '[::1]:21'],
    ['https://a.example/?u=https://b.example/', 'a.example'],
    ['shop/item/7', 'shop'],
    ['item', 'item'],
    ['/docs/a', ''],
    ['mailto:a@b.example', 'mailto:a@b.example'],
    ['docs/https://x/', 'docs'],
    [17, '17'],
  ])('of %j is %j', (key, host) => {
    expect(hostOf(key)).toBe(host)
  })
})
