// node provider.mjs CHAIN KEY AUDIENCE [REDIRECT_URI…]: serves OpenID Connect on https://localhost:PORT, whose address is the first line of its output.
// A job is the client "ci", which gets tokens for AUDIENCE by its credentials; people log in as whatever they type.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import Provider from 'oidc-provider';

const [chain, key, audience, ...redirect_uris] = process.argv.slice(2);
const server = createServer({ cert: readFileSync(chain), key: readFileSync(key) });

server.listen(0, '127.0.0.1', () => {
  const issuer = `https://localhost:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [
      { client_id: 'ci', client_secret: 'of-the-client-ci', grant_types: ['client_credentials'], redirect_uris: [], response_types: [] },
      ...(redirect_uris.length > 0 ? [{ client_id: 'tofud', client_secret: 'of-the-client-tofud', redirect_uris }] : []),
    ],
    claims: { openid: ['sub'], groups: ['groups'] },
    scopes: ['openid', 'groups'],
    conformIdTokenClaims: false,
    async findAccount(_, id) {
      return { accountId: id, claims: () => ({ sub: id, groups: [`${id}s`, 'everybody'] }) };
    },
    async extraTokenClaims(_, token) {
      return token.kind === 'ClientCredentials' ? { repository: 'acme/infra', ref: 'refs/heads/main', actor: 'jane' } : undefined;
    },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({ scope: 'send', audience, accessTokenTTL: 300, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } }),
      },
    },
  });
  server.on('request', provider.callback());
  console.log(issuer);
});
