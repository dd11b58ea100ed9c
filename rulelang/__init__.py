"""rulelang: rules of games, written once, played, checked and measured."""
